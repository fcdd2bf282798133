/* SPDX-License-Identifier: MIT */
/*
 * Requests under continuous batching: a step processes some tokens of each of several requests.
 *
 * Marks say of which: "request#A", when request A arrives, with its input tokens; "tokens#A", after
 * the launches of a step, with the tokens of A that the step processed; "cached#A", of input tokens
 * that need no processing since the cache has them.  A step is what was launched between two groups
 * of marks "tokens", its energy that of the launches with what the device drew idle meanwhile,
 * without the time in which there was no request.  It is divided by tokens.  The step that
 * processes the last input token of a request puts its first output token out, and each token after
 * that is another one.
 */
#ifndef PWRTRACE_EFFICIENCY_REQUESTS_H
#define PWRTRACE_EFFICIENCY_REQUESTS_H

#include "analyzer/efficiency/run.h"

/* Sets the requests of a run, its phases and what is steady, and *tokens to the sum of output
 * tokens; where there are no such marks, leaves all as it is.  Returns false after an error
 * message, where the marks make no sense. */
bool requests_find(struct efficiency_run *run, double *tokens);

#endif
