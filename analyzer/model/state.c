/* SPDX-License-Identifier: MIT */
#include "analyzer/model/state.h"

#include <string.h>

#include "analyzer/model/source.h"
#include "analyzer/numeric/bisect.h"

static const struct reason {
	const char *source;
	unsigned bit;
	const char *name;
	enum { THROTTLES, LIMITS_POWER, IS_HARMLESS } effect;
} reasons[] = {
#define THROTTLE_REASON(source, bit, name) {#source, bit, name, THROTTLES},
#define LIMIT_REASON(source, bit, name) {#source, bit, name, LIMITS_POWER},
#define HARMLESS_REASON(source, bit, name) {#source, bit, name, IS_HARMLESS},
#include "analyzer/model/throttle_reasons.def"
#undef THROTTLE_REASON
#undef LIMIT_REASON
#undef HARMLESS_REASON
};

struct states {
	guint gpu_count;
	GArray **by_gpu;      /* struct model_state, in the order of time */
	const char **sources; /* by gpu: the family of its last sensor; "" without one */
	uint64_t *limit_bits; /* by gpu: of that family, those of a limit to power */
};

uint64_t state_throttle_bits(const char *source, uint64_t throttle_reasons)
{
	if (throttle_reasons == PWRTRACE_UNKNOWN_U64)
		return throttle_reasons;
	for (size_t i = 0; i < G_N_ELEMENTS(reasons); i++)
		if (reasons[i].effect == IS_HARMLESS && strcmp(reasons[i].source, source) == 0)
			throttle_reasons &= ~(UINT64_C(1) << reasons[i].bit);
	return throttle_reasons;
}

/* The bits that mean that a limit of power throttles. */
static uint64_t limit_bits_of(const char *source)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(reasons); i++)
		if (reasons[i].effect == LIMITS_POWER && strcmp(reasons[i].source, source) == 0)
			bits |= UINT64_C(1) << reasons[i].bit;
	return bits;
}

const char *state_reason_name(const char *source, unsigned bit)
{
	for (size_t i = 0; i < G_N_ELEMENTS(reasons); i++)
		if (reasons[i].bit == bit && strcmp(reasons[i].source, source) == 0)
			return reasons[i].name;
	return NULL;
}

/* ---- what the states of a sensor were ---- */

const struct state_quantity state_quantities[] = {
	{"clock", "clock_mhz", offsetof(struct model_state, sm_clock_mhz), 1, "MHz"},
	{"memory clock", "memory_clock_mhz", offsetof(struct model_state, memory_clock_mhz), 1,
		"MHz"},
	{"limit", "limit_w", offsetof(struct model_state, limit_mw), 1e-3, "W"},
	{"EDPp limit", "edpp_limit_w", offsetof(struct model_state, edpp_limit_mw), 1e-3, "W"},
	{"temperature", "temperature_c", offsetof(struct model_state, temperature_c), 1, "°C"},
	{"SMs busy", "sm_percent", offsetof(struct model_state, sm_percent), 1, "%"},
	{"tensor cores busy", "tensor_percent", offsetof(struct model_state, tensor_percent), 1,
		"%"},
	{"memory busy", "memory_percent", offsetof(struct model_state, memory_percent), 1, "%"},
	{NULL, NULL, 0, 0, NULL},
};

bool state_range(const GArray *states, const struct state_quantity *quantity, double range[2])
{
	uint32_t least = UINT32_MAX, most = 0;

	for (guint i = 0; i < states->len; i++) {
		const char *state = states->data + i * sizeof(struct model_state);
		uint32_t value = *(const uint32_t *)(const void *)(state + quantity->member);

		if (value == PWRTRACE_UNKNOWN_U32)
			continue;
		least = MIN(least, value);
		most = MAX(most, value);
	}
	range[0] = least * quantity->scale;
	range[1] = most * quantity->scale;
	return least <= most;
}

guint state_throttled_count(const GArray *states, const char *source, unsigned bit)
{
	guint count = 0;

	for (guint i = 0; i < states->len; i++) {
		uint64_t bits = state_throttle_bits(
			source, g_array_index(states, struct model_state, i).throttle_reasons);

		count += bits != PWRTRACE_UNKNOWN_U64 && (bits >> bit & 1);
	}
	return count;
}

/* ---- the states of devices ---- */

static int by_time(gconstpointer a, gconstpointer b)
{
	const struct model_state *x = a, *y = b;

	return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

/* How long ago a state began, on average, when it is first read.  The device takes a new value once
 * every period, so that the old one had changed half a period before in the mean; and the new value
 * has been there for half of poll_ns in the mean before it is read. */
static uint64_t seen_after_ns(const struct model_sensor *about)
{
	uint64_t sum_ns = 0;

	sum_ns += about->period_ns == PWRTRACE_UNKNOWN_U64 ? 0 : about->period_ns;
	sum_ns += about->poll_ns == PWRTRACE_UNKNOWN_U64 ? 0 : about->poll_ns;
	return sum_ns / 2;
}

static void add_sensor(
	const struct model *model, struct states *states, const struct model_state_sensor *sensor)
{
	uint64_t late_ns = seen_after_ns(&sensor->about);
	const struct model_recording *recording =
		source_recording(model, sensor->about.trace, sensor->about.process_number);
	struct model_state end;

	memset(&end, 0xff, sizeof(end)); /* all is unknown */
	end.time_ns = recording ? recording->span.end_ns : 0;
	for (guint gpu = 0; recording && gpu < states->gpu_count; gpu++) {
		GArray *all = states->by_gpu[gpu];
		guint first = all->len;

		if (!source_measures(recording, &sensor->about,
			    &g_array_index(model->gpus, struct model_gpu, gpu)))
			continue;
		g_array_append_vals(all, sensor->states->data, sensor->states->len);
		for (guint i = first; i < all->len; i++) {
			struct model_state *state = &g_array_index(all, struct model_state, i);

			state->time_ns -= MIN(state->time_ns, late_ns);
			state->throttle_reasons =
				state_throttle_bits(sensor->about.source, state->throttle_reasons);
		}
		g_array_append_val(all, end);
		states->sources[gpu] = sensor->about.source;
		states->limit_bits[gpu] = limit_bits_of(sensor->about.source);
	}
}

struct states *states_of(const struct model *model)
{
	struct states *states = g_new0(struct states, 1);

	states->gpu_count = model->gpus->len;
	states->by_gpu = g_new0(GArray *, states->gpu_count + 1);
	states->sources = g_new(const char *, states->gpu_count + 1);
	states->limit_bits = g_new0(uint64_t, states->gpu_count + 1);
	for (guint i = 0; i < states->gpu_count; i++) {
		states->by_gpu[i] = g_array_new(FALSE, FALSE, sizeof(struct model_state));
		states->sources[i] = "";
	}
	for (guint i = 0; i < model->state_sensors->len; i++)
		add_sensor(model, states,
			&g_array_index(model->state_sensors, struct model_state_sensor, i));
	for (guint i = 0; i < states->gpu_count; i++)
		g_array_sort(states->by_gpu[i], by_time);
	return states;
}

void states_free(struct states *states)
{
	for (guint i = 0; i < states->gpu_count; i++)
		g_array_free(states->by_gpu[i], TRUE);
	g_free(states->by_gpu);
	g_free(states->sources);
	g_free(states->limit_bits);
	g_free(states);
}

const GArray *states_list(const struct states *states, uint32_t gpu)
{
	return gpu == MODEL_NONE ? NULL : states->by_gpu[gpu];
}

const char *states_source(const struct states *states, uint32_t gpu)
{
	return gpu == MODEL_NONE ? "" : states->sources[gpu];
}

/* The last state that began at or before time_ns, or the first one. */
static guint state_at(const GArray *all, uint64_t time_ns)
{
	return BISECT(i, 1, all->len, g_array_index(all, struct model_state, i).time_ns > time_ns) -
	       1;
}

void states_add(const struct states *states, struct state_sums *sums, uint32_t gpu,
	uint64_t begin_ns, uint64_t end_ns)
{
	const GArray *all = gpu == MODEL_NONE ? NULL : states->by_gpu[gpu];

	if (!all || all->len < 2)
		return;
	for (guint i = state_at(all, begin_ns); i + 1 < all->len; i++) {
		const struct model_state *state = &g_array_index(all, struct model_state, i);
		uint64_t from_ns = MAX(state->time_ns, begin_ns);
		uint64_t until_ns = MIN(state[1].time_ns, end_ns);

		if (state->time_ns >= end_ns)
			break;
		if (until_ns <= from_ns)
			continue;
		if (state->sm_clock_mhz != PWRTRACE_UNKNOWN_U32) {
			sums->clock_mhz_ns +=
				(double)state->sm_clock_mhz * (double)(until_ns - from_ns);
			sums->clock_ns += until_ns - from_ns;
		}
		if (state->throttle_reasons != PWRTRACE_UNKNOWN_U64) {
			sums->throttled_ns += state->throttle_reasons ? until_ns - from_ns : 0;
			sums->at_limit_ns += state->throttle_reasons & states->limit_bits[gpu]
						     ? until_ns - from_ns
						     : 0;
			sums->reasons_ns += until_ns - from_ns;
		}
		if (state->limit_mw != PWRTRACE_UNKNOWN_U32) {
			sums->limit_mw_ns += (double)state->limit_mw * (double)(until_ns - from_ns);
			sums->limit_ns += until_ns - from_ns;
		}
	}
}

bool states_clock_range(const struct states *states, uint32_t gpu, uint64_t begin_ns,
	uint64_t end_ns, double range_mhz[2])
{
	const GArray *all = gpu == MODEL_NONE ? NULL : states->by_gpu[gpu];
	bool any = false;

	/* The last one marks the end, and is unknown. */
	for (guint i = all && all->len ? state_at(all, begin_ns) : 0; all && i + 1 < all->len;
		i++) {
		const struct model_state *state = &g_array_index(all, struct model_state, i);

		if (state->time_ns >= end_ns)
			break;
		if (state->sm_clock_mhz == PWRTRACE_UNKNOWN_U32)
			return false;
		range_mhz[0] = any ? MIN(range_mhz[0], state->sm_clock_mhz) : state->sm_clock_mhz;
		range_mhz[1] = any ? MAX(range_mhz[1], state->sm_clock_mhz) : state->sm_clock_mhz;
		any = true;
	}
	return any;
}

double state_clock_mhz(const struct state_sums *sums)
{
	return sums->clock_ns ? sums->clock_mhz_ns / (double)sums->clock_ns : -1;
}

double state_throttled(const struct state_sums *sums)
{
	return sums->reasons_ns ? (double)sums->throttled_ns / (double)sums->reasons_ns : -1;
}

double state_at_limit(const struct state_sums *sums)
{
	return sums->reasons_ns ? (double)sums->at_limit_ns / (double)sums->reasons_ns : -1;
}

double state_limit_w(const struct state_sums *sums)
{
	return sums->limit_ns ? sums->limit_mw_ns / (double)sums->limit_ns / 1e3 : -1;
}
