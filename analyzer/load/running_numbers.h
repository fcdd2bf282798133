/* SPDX-License-Identifier: MIT */
/*
 * Running numbers in names of layers: "Train step 28" and its like become "Train step #", the
 * iterations of one layer.
 *
 * A number runs where the layers of one parent whose names differ in numbers alone follow each
 * other in the order of that number, counted up by one: in each process that has them, all launches
 * in or below one come before those of the next, and some process has three or more.  The blocks of
 * a network that are passed again and again do not follow each other in this sense.  A number is a
 * word of its own: one behind a letter or a dot ("conv1", "layers.0") is part of what the layer is
 * called.
 */
#ifndef PWRTRACE_RUNNING_NUMBERS_H
#define PWRTRACE_RUNNING_NUMBERS_H

#include "analyzer/load/loader.h"

/* Replaces running numbers in the names of all layers by "#".  Executions must be resolved. */
void running_numbers_replace(struct loader *loader);

#endif
