"""Compares indices of morris.csv and saltelli.csv in a folder with those of SALib."""

import csv
import sys
from pathlib import Path

import numpy as np
from SALib.analyze import morris, sobol

folder = Path(sys.argv[1])
VARIABLES = ["starlings.cohesion.gain", "starlings.wander.gain", "starlings.count"]
BOUNDS = [[0, 2], [0, 6], [20, 60]]
PROBLEM = {"num_vars": 3, "names": VARIABLES, "bounds": BOUNDS}


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def means(rows, column):
    """The mean of each point over its two seeds."""
    return np.array([float(row[column]) for row in rows]).reshape(-1, 2).mean(axis=1)


def compare(name, measure, expected, found):
    expected, found = np.asarray(expected, float), np.asarray(found, float)
    assert np.allclose(expected, found, rtol=1e-6, atol=1e-9), (name, measure, expected, found)


def compare_width(name, measure, expected, rows, column):
    """The intervals of SALib depend on other resamples."""
    for half, row in zip(expected, rows):
        found = (float(row[column + "_high"]) - float(row[column + "_low"])) / 2
        assert abs(found - half) <= 0.15 * half + 1e-9, (name, measure, row["variable"], half, found)


for name in ["morris", "saltelli"]:
    rows, indices = read(folder / f"{name}.csv"), read(folder / f"{name}.csv.indices")
    points = np.column_stack([means(rows, variable) for variable in VARIABLES])
    for measure in ["starlings.polarization", "starlings.speed"]:
        values = means(rows, measure)
        own = [row for row in indices if row["measure"] == measure]
        assert [row["variable"] for row in own] == VARIABLES
        if name == "morris":
            result = morris.analyze(PROBLEM, points, values, num_levels=4, num_resamples=2000, seed=1)
            columns = [("mu", "mu"), ("mu_star", "mu_star"), ("sigma", "sigma")]
            widths = [("mu_star", "mu_star_conf")]
        else:
            result = sobol.analyze(PROBLEM, values, calc_second_order=False, num_resamples=2000, seed=1)
            columns = [("S1", "S1"), ("ST", "ST")]
            widths = [("S1", "S1_conf"), ("ST", "ST_conf")]
        for column, key in columns:
            compare(name, measure, result[key], [row[column] for row in own])
        for column, key in widths:
            compare_width(name, measure, result[key], own, column)
        print(name, measure, *(f"{row['variable']} {float(row[columns[-1][0]]):.4f}" for row in own))
print("indices and intervals are those of SALib")
