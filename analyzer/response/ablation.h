/* SPDX-License-Identifier: MIT */
/*
 * The mechanisms of the estimator, which "make bench-accuracy ABLATE=1" switches off one at a time
 * to measure what each improves.  A build with -DPWRTRACE_ABLATION switches off the one that the
 * environment variable PWRTRACE_ABLATE names; in the product none can be, and the compiler drops
 * the tests.
 */
#ifndef PWRTRACE_ABLATION_H
#define PWRTRACE_ABLATION_H

#include <stdbool.h>

/* Each row: its name in the code, its name in tables, what is done without it.  tests/truth/
 * ablation.py reads the second column. */
#define ABLATION_TABLE(ROW)                                                                        \
	/* The covariance of the powers. */                                                        \
	ROW(JACKKNIFE, "jackknife", "variances are those of the posterior alone")                  \
	ROW(JACKKNIFE_OWN, "jackknife-own", "all classes are widened alike")                       \
	ROW(JACKKNIFE_PRIOR, "jackknife-prior", "the prior's part of a variance is widened, too")  \
	ROW(SHARED, "shared",                                                                      \
		"powers are widened one by one, not as the sums that energies are made of")        \
	ROW(REPETITION, "repetition", "places of a loop that differ are not accounted for")        \
	ROW(REPETITION_FACTORS, "repetition-factors", "influences' factors take part in it")       \
	ROW(DEVIATIONS, "deviations", "replays draw less by one part for all kernels")             \
	ROW(OFFSETS, "offsets", "the static power is the same throughout")                         \
	ROW(NUISANCES, "nuisances", "the response counts as known")                                \
	ROW(DRAWS, "draws", "no other responses are drawn from the posterior")                     \
	ROW(DRAWS_MORE, "draws-more", "draws count even where slopes say as much")                 \
	ROW(DRAWS_SPREAD, "draws-spread",                                                          \
		"the spread of powers is learnt by an uncertain response, too")                    \
	/* The intervals of energies. */                                                           \
	ROW(INFLUENCE_REST, "influence-rest", "classes do not differ in how they are influenced")  \
	ROW(RARE_VARIANCE, "rare-variance", "rare classes do not differ from their mean")          \
	ROW(LAUNCH, "launch-scatter", "executions of a class do not differ")                       \
	ROW(SHIFT, "shift", "intervals are not widened for energy that raking has moved")          \
	ROW(GROUPS, "groups", "no classes are merged")                                             \
	/* The noise of the readings. */                                                           \
	ROW(OVERDISPERSION, "overdispersion", "no noise by executions that differ")                \
	ROW(NOISE_BUSY, "noise-busy", "no noise by how busy the device is")                        \
	ROW(NOISE_CHANGE, "noise-change", "no noise by how much power changes in a reading")       \
	ROW(NOISE_REPLAYED, "noise-replayed", "replays change power as the program does")          \
	ROW(NOISE_PART, "noise-part", "no noise by the square of the reading")                     \
	ROW(NOISE_LEARNED, "noise-learned", "the noise is one hundredth of a reading")             \
	ROW(ROBUST, "robust", "readings that are far off weigh as much as others")                 \
	ROW(FREEDOM, "freedom", "each power takes a degree of freedom")                            \
	/* The powers. */                                                                          \
	ROW(RARE, "rare", "each class has a power of its own")                                     \
	ROW(SPREAD, "spread", "the width of the prior is not learnt")                              \
	ROW(SIZE_PRIOR, "size-prior", "the sizes of kernels tell nothing of their powers")         \
	ROW(JOINT, "joint", "the response stays where it was found")                               \
	ROW(SELECTION, "influences", "nothing but its class moves an execution's power")           \
	ROW(CLOCK_FIELD, "clock-field", "each execution's own duration tells its clock")           \
	ROW(CLOCK_AHEAD, "clock-ahead", "rounds that look for the clock do not go ahead")          \
	ROW(CLOCK_EXPONENTS, "clock-exponents", "the clock moves all classes of a kind alike")     \
	ROW(SELECTION_TIME, "influences-independent", "all residuals count as independent")        \
	ROW(WEIGHED, "weighed-library", "readings weigh against a library by their noise alone")   \
	ROW(EXPONENT, "influences-exponent", "power follows speed by the exponent that was tried") \
	ROW(PACES, "paces", "the clock alone makes replays take longer or less")                   \
	ROW(TRUST, "trust", "replays that durations say to deviate weigh as others do")            \
	ROW(REPLAYS_TELL, "replays-tell", "replays tell nothing of the program's powers")          \
	ROW(REPLAYS_DIFFER, "replays-differ",                                                      \
		"a replayed kernel draws what it draws in the program")                            \
	ROW(RECOMPUTED, "influences-again",                                                        \
		"they are not computed again from the powers they lead to")                        \
	ROW(ROUGH, "rough-fit", "many classes: the response is searched for but once")             \
	ROW(STALLS, "stalls", "a sensor that stands still is believed")                            \
	ROW(SATURATED, "saturation", "readings at a sensor's ceiling are believed")                \
	ROW(SLEEP, "sleep", "sleep counts as idling")                                              \
	ROW(LIMITED, "limited-replays", "replays that a limit held back are believed")             \
	/* Counters of how busy the device is. */                                                  \
	ROW(UTILIZATION_POWER, "utilization-power",                                                \
		"what counters tell is not what powers are expected by")                           \
	ROW(UTILIZATION_CLOCK, "utilization-clock", "the counters' clock is off by one value")     \
	/* The search for the response. */                                                         \
	ROW(EVIDENCE, "evidence",                                                                  \
		"a response is judged by the best powers, not by all that are likely")             \
	ROW(FAMILIES, "families", "always a window and a tail")                                    \
	ROW(FILTERS, "filters", "no search among filters alone")                                   \
	ROW(RIDGE, "ridge", "no search along the mean delay of the best")                          \
	ROW(EDGES, "edges", "readings about where work starts and stops are not preferred")        \
	ROW(INDEPENDENT, "independent", "all readings count as independent")                       \
	ROW(TOGETHER, "together", "sensors of one kind are searched alone")                        \
	ROW(AGAIN, "search-again", "no search with powers known")                                  \
	ROW(STATED, "stated", "any gain makes a response better than the stated one")              \
	ROW(TAIL_CUT, "tail-cut", "the search does not cut a tail where the fit does")

enum ablation {
#define ABLATION_ROW(id, name, without) ABLATION_##id,
	ABLATION_TABLE(ABLATION_ROW)
#undef ABLATION_ROW
		ABLATIONS
};

/* Whether this mechanism is switched off. */
#ifdef PWRTRACE_ABLATION
bool ablated(enum ablation mechanism);
#else
static inline bool ablated(enum ablation mechanism)
{
	(void)mechanism;
	return false;
}
#endif

#endif
