/* SPDX-License-Identifier: MIT */
/*
 * The method "regress": fits the power of each class to the readings, through the sensor's
 * response, and scales the resulting energies to the measured energy (rake.h).
 */
#include "analyzer/attribute/method.h"

const struct method method_regress = {
	.name = "regress",
	.help = "the power of each kernel that explains the sensor best, and its interval",
	.fit = fit_make,
};
