#!/usr/bin/env python3
"""The model of Vicsek et al. (1995) in NumPy and SciPy: a reference for scenes/vicsek.ron.

T. Vicsek, A. Czirok, E. Ben-Jacob, I. Cohen, O. Shochet, Phys. Rev. Lett. 75, 1226 (1995). Radius of interaction 1, speed
0.03, density 4, forward update: positions change by the new directions. Writes the mean order parameter after the warm-up
for each number of particles and noise, and its standard error over the replicates.
"""

import argparse
import csv
import sys

import numpy as np
from scipy.spatial import cKDTree

SPEED = 0.03
SIDES = {40: 3.1, 100: 5.0, 400: 10.0}


def wrapped(place, side):
    """Returns coordinates in [0, side)."""
    place = place % side
    return np.where(place < side, place, 0)


def order(count, side, noise, replicates, warmup, steps, rng):
    """Returns the mean order parameter of each replicate, over the steps after the warm-up."""
    total = replicates * count
    place = rng.uniform(0, side, (total, 2))
    angle = rng.uniform(-np.pi, np.pi, total)
    # One tree for all replicates, each in a layer of its own.
    layer = np.repeat(np.arange(replicates) * 10.0, count)[:, None]
    box = [side, side, 20.0 * replicates]
    orders = np.zeros(replicates)
    for step in range(1, steps + 1):
        direction = np.exp(1j * angle)
        tree = cKDTree(np.hstack([place, layer]), boxsize=box)
        one, other = tree.query_pairs(1, output_type="ndarray").T
        near = direction.copy()
        for to, of in ((one, other), (other, one)):
            near += np.bincount(to, direction[of].real, total) + 1j * np.bincount(to, direction[of].imag, total)
        angle = np.angle(near) + rng.uniform(-noise / 2, noise / 2, total)
        place = wrapped(place + SPEED * np.stack([np.cos(angle), np.sin(angle)], axis=-1), side)
        if step > warmup:
            orders += np.abs(np.exp(1j * angle).reshape(replicates, count).mean(axis=1))
    return orders / (steps - warmup)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=12)
    parser.add_argument("--warmup", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1995)
    arguments = parser.parse_args()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["count", "noise", "n", "mean", "error"])
    for count, side in SIDES.items():
        for noise in np.arange(11) / 2:
            rng = np.random.default_rng([arguments.seed, count, int(noise * 2)])
            runs = order(count, side, noise, arguments.replicates, arguments.warmup, arguments.steps, rng)
            error = runs.std(ddof=1) / np.sqrt(len(runs))
            table.writerow([count, noise, len(runs), f"{runs.mean():.6f}", f"{error:.6f}"])
            sys.stdout.flush()


if __name__ == "__main__":
    main()
