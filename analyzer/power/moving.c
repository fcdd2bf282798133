/* SPDX-License-Identifier: MIT */
#include "analyzer/power/moving.h"

#include <math.h>

#define UNCERTAIN_PARTS 10 /* a window may be uncertain to one of so many parts */

/* Of power, all of it and what is uncertain of it; of energy likewise. */
struct powers {
	int64_t all_uw, uncertain_uw;
};

struct energies {
	__int128 all_fj, uncertain_fj;
};

/* From begin_ns until the next one begins. */
struct step {
	uint64_t begin_ns;
	struct powers power;
};

/* The begin of a window, behind the end of the curve; before the curve it is at power 0. */
struct tail {
	uint64_t lag_ns;
	uint64_t step; /* the number of the step that it is in; first: it is in none yet */
	struct powers power;
};

struct window {
	struct moving_window found;
	struct tail middle, begin; /* one length and two lengths behind the curve's end */
	struct energies energy;    /* of the last window */
	struct energies growth;    /* of the last window, less that of the one before */
};

struct moving {
	GArray *windows; /* struct window */
	uint64_t longest_ns;
	struct step *steps;        /* a ring buffer: by number modulo room */
	uint64_t room;             /* a power of two */
	uint64_t first, end;       /* numbers of the steps that are kept, and of the next one */
	uint64_t begin_ns, end_ns; /* of the curve since it was last unknown */
	uint64_t taken_ns;         /* what lies before has been taken into the windows, */
	struct powers power;       /* and since then it has been the same */
};

struct moving *moving_new(const uint64_t *lengths_ns, guint count)
{
	struct moving *moving = g_new0(struct moving, 1);

	moving->windows = g_array_new(FALSE, TRUE, sizeof(struct window));
	moving->room = 64;
	moving->steps = g_new(struct step, moving->room);
	for (guint i = 0; i < count; i++) {
		const struct window window = {.found.length_ns = lengths_ns[i],
			.middle.lag_ns = lengths_ns[i],
			.begin.lag_ns = 2 * lengths_ns[i]};

		g_array_append_val(moving->windows, window);
		moving->longest_ns = MAX(moving->longest_ns, 2 * lengths_ns[i]);
	}
	return moving;
}

void moving_free(struct moving *moving)
{
	if (!moving)
		return;
	g_array_free(moving->windows, TRUE);
	g_free(moving->steps);
	g_free(moving);
}

static struct step *step_at(const struct moving *moving, uint64_t number)
{
	return &moving->steps[number & (moving->room - 1)];
}

/* ---- the steps that are kept ---- */

static void restart(struct moving *moving, uint64_t begin_ns)
{
	moving->first = moving->end;
	moving->begin_ns = moving->end_ns = moving->taken_ns = begin_ns;
	for (guint i = 0; i < moving->windows->len; i++) {
		struct window *window = &g_array_index(moving->windows, struct window, i);

		window->energy = window->growth = (struct energies){0};
		window->middle.step = window->begin.step = moving->first;
		window->middle.power = window->begin.power = (struct powers){0};
	}
}

static void make_room(struct moving *moving)
{
	struct step *steps = g_new(struct step, 2 * moving->room);

	for (uint64_t i = moving->first; i < moving->end; i++)
		steps[i & (2 * moving->room - 1)] = *step_at(moving, i);
	g_free(moving->steps);
	moving->steps = steps;
	moving->room *= 2;
}

static void append(struct moving *moving, uint64_t begin_ns, struct powers power)
{
	/* A tail is never before the step that is longest_ns behind. */
	while (moving->first + 1 < moving->end &&
		step_at(moving, moving->first + 1)->begin_ns + moving->longest_ns < begin_ns)
		moving->first++;
	if (moving->end - moving->first == moving->room)
		make_room(moving);
	*step_at(moving, moving->end++) = (struct step){begin_ns, power};
}

/* ---- windows ---- */

/* When a tail meets its next step, as a time of the curve's end; UINT64_MAX: not before more steps
 * are added.  tail->step is the number of the next one. */
static uint64_t next_ns(const struct moving *moving, const struct tail *tail)
{
	return tail->step < moving->end ? step_at(moving, tail->step)->begin_ns + tail->lag_ns
					: UINT64_MAX;
}

static void meet_step(const struct moving *moving, struct tail *tail, uint64_t now_ns)
{
	if (next_ns(moving, tail) == now_ns)
		tail->power = step_at(moving, tail->step++)->power;
}

static bool is_certain(__int128 energy_fj, __int128 uncertain_fj)
{
	return uncertain_fj * UNCERTAIN_PARTS <= energy_fj;
}

static void note(struct moving_extreme *extreme, __int128 energy_fj, uint64_t end_ns, bool higher,
	bool certain)
{
	if (extreme->met &&
		(higher ? energy_fj <= extreme->energy_fj : energy_fj >= extreme->energy_fj))
		return;
	*extreme = (struct moving_extreme){true, certain, energy_fj, end_ns};
}

/* What is uncertain counts, too: if a window of it is the highest, the highest is not known. */
static void note_all(const struct moving *moving, struct window *window, uint64_t now_ns)
{
	uint64_t known_ns = now_ns - moving->begin_ns;
	const struct energies *energy = &window->energy, *growth = &window->growth;
	bool certain = is_certain(energy->all_fj, energy->uncertain_fj);

	if (known_ns >= window->middle.lag_ns) {
		note(&window->found.highest, energy->all_fj, now_ns, true, certain);
		note(&window->found.lowest, energy->all_fj, now_ns, false, certain);
	}
	/* Both windows of a ramp together have twice the last one's energy less the growth. */
	if (known_ns >= window->begin.lag_ns)
		note(&window->found.ramp, growth->all_fj, now_ns, true,
			is_certain(2 * energy->all_fj - growth->all_fj,
				2 * energy->uncertain_fj - growth->uncertain_fj));
}

static void add(struct energies *energies, __int128 length_ns, int sign, struct powers power)
{
	energies->all_fj += sign * length_ns * power.all_uw;
	energies->uncertain_fj += sign * length_ns * power.uncertain_uw;
}

static void advance(const struct moving *moving, struct window *window, uint64_t now_ns,
	uint64_t end_ns, struct powers power)
{
	while (now_ns < end_ns) {
		uint64_t until_ns = MIN(end_ns,
			MIN(next_ns(moving, &window->middle), next_ns(moving, &window->begin)));
		__int128 length_ns = until_ns - now_ns;

		add(&window->energy, length_ns, 1, power);
		add(&window->energy, length_ns, -1, window->middle.power);
		add(&window->growth, length_ns, 1, power);
		add(&window->growth, length_ns, -2, window->middle.power);
		add(&window->growth, length_ns, 1, window->begin.power);
		now_ns = until_ns;
		note_all(moving, window, now_ns);
		meet_step(moving, &window->middle, now_ns);
		meet_step(moving, &window->begin, now_ns);
	}
}

void moving_finish(struct moving *moving)
{
	if (moving->taken_ns == moving->end_ns)
		return;
	append(moving, moving->taken_ns, moving->power);
	for (guint i = 0; i < moving->windows->len; i++)
		advance(moving, &g_array_index(moving->windows, struct window, i), moving->taken_ns,
			moving->end_ns, moving->power);
	moving->taken_ns = moving->end_ns;
}

void moving_add(struct moving *moving, uint64_t begin_ns, uint64_t end_ns, int64_t power_uw,
	int64_t uncertain_uw)
{
	bool same = power_uw == moving->power.all_uw && uncertain_uw == moving->power.uncertain_uw;

	if (begin_ns != moving->end_ns || !same)
		moving_finish(moving);
	if (begin_ns != moving->end_ns)
		restart(moving, begin_ns);
	moving->power = (struct powers){power_uw, uncertain_uw};
	moving->end_ns = end_ns;
}

/* ---- results ---- */

const struct moving_window *moving_at(const struct moving *moving, guint i)
{
	return &g_array_index(moving->windows, struct window, i).found;
}

#define FJ_PER_J 1e15
#define NS_PER_S 1e9

double moving_w(const struct moving_window *window, const struct moving_extreme *extreme)
{
	return extreme->known ? (double)extreme->energy_fj / FJ_PER_J /
					((double)window->length_ns / NS_PER_S)
			      : NAN;
}

double moving_ramp_w_per_s(const struct moving_window *window)
{
	return moving_w(window, &window->ramp) / ((double)window->length_ns / NS_PER_S);
}
