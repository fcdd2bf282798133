/* SPDX-License-Identifier: MIT */
/*
 * The method "regress": finds the power of each class by which the sensor's readings are explained
 * best, through the sensor's response, and scales what that makes to the energy that was measured.
 */
#include "analyzer/attribute/method.h"

const struct method method_regress = {
	.name = "regress",
	.help = "the power of each kernel that explains the sensor best, and its interval",
	.fit = fit_make,
};
