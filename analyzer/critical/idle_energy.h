/* SPDX-License-Identifier: MIT */
/* How much of the energy of executions is drawn while devices are idle, too. */
#ifndef PWRTRACE_CRITICAL_IDLE_ENERGY_H
#define PWRTRACE_CRITICAL_IDLE_ENERGY_H

#include "analyzer/attribute/attribution.h"

/* Returns, by index in model->executions, the idle energy in joules that is part of its energy: the
 * mean power of a source while nothing ran, shared equally by what runs at a moment, as attribution
 * shares it; so those of all executions are that power times the time in which anything ran.  NaN
 * where the power of its device was not measured or the device never idle.  The caller frees it. */
double *idle_energies_of(const struct attribution *attribution);

#endif
