/* SPDX-License-Identifier: MIT */
/*
 * How events become the model: a function per event, and a row per event in take.c.  Each takes the
 * event's struct pwrtrace_<event>, whose pid means something only within its sub-trace.
 */
#ifndef PWRTRACE_TAKE_H
#define PWRTRACE_TAKE_H

#include "analyzer/model/model.h"

typedef void take(struct model *model, unsigned trace, const void *record);

/* take_execution.c: what ran, joined with who launched it */
take take_kernel_launch, take_kernel_exec, take_memory_exec, take_graph_launch, take_replay_begin,
	take_replay;

/* waits.c: what the host waited for */
take take_sync, take_dependency;

/* take_layer.c: when layers were open, and marks */
take take_layer_push, take_layer_pop, take_mark;

/* take_definition.c: what ids stand for */
take take_process, take_process_end, take_device, take_stream_def, take_kernel_def, take_layer_def;
take take_graph_def, take_graph_part, take_module_def;
take take_function_def, take_stack_def;

/* take_power.c: who measured what */
take take_recording, take_recording_end, take_sensor_def, take_sensor_calibration;
take take_sensor_response, take_power_sample, take_energy_counter, take_device_state;

/* When all is read: leaves out of each sensor what cannot be. */
void take_end_of_sensors(struct model *model);

/* The functions of a reader_sink (reader.h) whose data is the model. */
void take_event(void *model, unsigned trace, enum pwrtrace_event_id id, const void *record);
bool take_wants(void *model, enum pwrtrace_event_id id, const char *field);
void take_damaged(void *model);
void take_discarded(void *model, uint64_t count);

/* Notes the schema of a trace, where it says so. */
void take_schema(struct model *model, uint32_t schema);

/* The model's own copy of a text, one for all equal texts, in valid UTF-8. */
const char *take_text(struct model *model, const char *text);

/* What tells machines apart: the boot, which containers on one have in common, else the host. */
const char *take_machine(struct model *model, const char *host, const char *boot_id);

/* A process and its index, made where it is new. */
uint32_t take_process_index(struct model *model, unsigned trace, uint32_t pid);
struct model_process *take_process_of(struct model *model, unsigned trace, uint32_t pid);

#endif
