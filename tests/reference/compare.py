#!/usr/bin/env python3
"""Compares a table of `steerbox sweep` with a table of a reference in this folder.

    compare.py TABLE.csv REFERENCE.csv vicsek|couzin

Prints each point with the means, their difference, and half its 95 % interval (Welch). Fails if more points lie outside of
their interval than one comparison in a thousand would have by chance.
"""

import csv
import math
import sys
from collections import defaultdict

from scipy.stats import binom
from scipy.stats import t as student

# The columns of the sweep that have the values of a point, those of the reference, and the measures.
MODELS = {
    "vicsek": (["particles.count", "particles.vicsek.NOISE"], ["count", "noise"], ["polarization"]),
    "couzin": (["fish.couzin.ORIENTATION"], ["orientation"], ["polarization", "milling"]),
}


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def samples(table, columns, measures):
    """Returns mean, standard error and number of runs by point and measure."""
    values = defaultdict(list)
    for row in table:
        point = tuple(float(row[column]) for column in columns)
        for measure in measures:
            values[point, measure].append(float(row[measure]))
    result = {}
    for key, runs in values.items():
        mean = sum(runs) / len(runs)
        variance = sum((run - mean) ** 2 for run in runs) / (len(runs) - 1)
        result[key] = (mean, math.sqrt(variance / len(runs)), len(runs))
    return result


def main():
    table, reference, model = sys.argv[1:]
    columns, names, measures = MODELS[model]
    found = samples(rows(table), columns, measures)
    outside, points = 0, 0
    print(f"{' '.join(names):>16} {'measure':>12} {'steerbox':>9} {'reference':>9} {'difference':>10} {'interval':>9}")
    for row in rows(reference):
        measure = row.get("measure", measures[0])
        point = tuple(float(row[name]) for name in names)
        mean, error, n = found[point, measure]
        expected, expected_error, expected_n = float(row["mean"]), float(row["error"]), int(row["n"])
        parts = [error**2, expected_error**2]
        spread = sum(parts)
        freedom = spread**2 / (parts[0] ** 2 / (n - 1) + parts[1] ** 2 / (expected_n - 1)) if spread else 1
        # Tables have six decimals.
        interval = student.ppf(0.975, freedom) * math.sqrt(spread) + 1e-6
        difference = mean - expected
        is_outside = abs(difference) > interval
        outside, points = outside + is_outside, points + 1
        place = " ".join(f"{value:g}" for value in point)
        mark = " *" if is_outside else ""
        print(f"{place:>16} {measure:>12} {mean:9.5f} {expected:9.5f} {difference:10.5f} {interval:9.5f}{mark}")
    most = int(binom.ppf(0.999, points, 0.05))
    print(f"{outside} of {points} outside of the 95 % interval; at most {most} by chance")
    return int(outside > most)


if __name__ == "__main__":
    sys.exit(main())
