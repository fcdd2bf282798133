/* SPDX-License-Identifier: MIT */
#include "analyzer/power/observation.h"

static void free_moving(gpointer moving)
{
	moving_free(moving);
}

void observation_begin(struct observation *observation, const GArray *lengths_ns)
{
	observation->moving = g_ptr_array_new_with_free_func(free_moving);
	for (guint i = 0; i < lengths_ns->len; i++)
		g_ptr_array_add(observation->moving,
			moving_new(&g_array_index(lengths_ns, uint64_t, i), 1));
}

void observation_clear(struct observation *observation)
{
	g_ptr_array_free(observation->moving, TRUE);
}

static void add_power(const struct observation *observation, struct observed_curve *curve,
	uint64_t length_ns, int64_t power_uw)
{
	curve->total.energy_fj += (__int128)length_ns * power_uw;
	curve->total.time_ns += length_ns;
	for (guint i = 0; i < LIMITS; i++)
		if (power_uw > observation->limit_uw[i])
			curve->above_ns[i] += length_ns;
}

static void add_reasons(struct observation *observation, uint64_t reasons, uint64_t length_ns)
{
	if (reasons == PWRTRACE_UNKNOWN_U64)
		return;
	observation->reasons_ns += length_ns;
	for (guint bit = 0; bit < OBSERVATION_REASONS; bit++)
		observation->reason_ns[bit] += reasons >> bit & 1 ? length_ns : 0;
}

void observation_add(struct observation *observation, const struct power_stretch *stretch)
{
	uint64_t length_ns = stretch->end_ns - stretch->begin_ns;

	for (guint i = 0; i < observation->moving->len; i++) {
		bool measured = observation_measures(
			observation, observation_window(observation, i)->length_ns);

		moving_add(g_ptr_array_index(observation->moving, i), stretch->begin_ns,
			stretch->end_ns, measured ? stretch->measured_uw : stretch->modelled_uw,
			measured ? 0 : stretch->uncertain_uw);
	}
	observation->uncertain_fj += (__int128)length_ns * stretch->uncertain_uw;
	add_power(observation, &observation->modelled, length_ns, stretch->modelled_uw);
	add_power(observation, &observation->measured, length_ns, stretch->measured_uw);
	if (stretch->state)
		add_reasons(observation, stretch->state->throttle_reasons, length_ns);
}

void observation_begin_buffers(struct observation *observation)
{
	for (guint i = 0; i < observation->moving->len; i++)
		moving_finish(g_ptr_array_index(observation->moving, i));
	observation->modelled.buffer = (struct buffer){.total = observation->modelled.total};
	observation->measured.buffer = (struct buffer){.total = observation->measured.total};
}

void observation_add_buffers(struct observation *observation, const struct power_stretch *stretch)
{
	uint64_t length_ns = stretch->end_ns - stretch->begin_ns;

	buffer_add(&observation->modelled.buffer, length_ns, stretch->modelled_uw);
	buffer_add(&observation->measured.buffer, length_ns, stretch->measured_uw);
}

bool observation_told_apart(const struct observation *observation)
{
	return !observation->apart &&
	       (double)observation->uncertain_fj <=
		       POWER_UNCERTAIN_MOST * (double)observation->modelled.total.energy_fj;
}
