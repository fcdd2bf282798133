# SPDX-License-Identifier: MIT
"""What one variant of a run adds to another, by pairs that ran one after the other."""
import math
import statistics

# Student's t for a two-sided interval of 95 %, by degrees of freedom; beyond, the normal one's is near.
T_95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
        2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042)


def interval(differences):
    """(median, mean, low, high) of differences: low and high bound their mean by 95 %; None if there are none,
    and infinite bounds if there is one."""
    if not differences:
        return None
    mean, count = statistics.mean(differences), len(differences)
    half = math.inf
    if count > 1:
        half = T_95[min(count - 1, len(T_95)) - 1] * statistics.stdev(differences) / math.sqrt(count)
    return statistics.median(differences), mean, mean - half, mean + half
