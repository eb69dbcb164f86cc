#!/usr/bin/env python3
"""The model of Couzin et al. (2002) in NumPy: a reference for scenes/couzin.ron.

I. D. Couzin, J. Krause, R. James, G. D. Ruxton, N. R. Franks, J. theor. Biol. 218, 1-11 (2002). 100 individuals that start in a
ball of radius 5 with random directions; zone of repulsion 1, width of the zone of attraction 14, field of perception 270
degrees, turning rate 40 degrees per second, speed 3, time step 0.1 s, noise 0.05. Writes the means of group polarization and
group rotation after the warm-up for each width of the zone of orientation, and their standard errors over the replicates.
"""

import argparse
import csv
import sys

import numpy as np

COUNT, START, SPEED, STEP = 100, 5.0, 3.0, 0.1
REPULSION, ATTRACTION = 1.0, 14.0
FIELD, TURN, NOISE = np.radians(270), np.radians(40), 0.05
WIDTHS = [0, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 11]


def unit(vectors):
    """Returns vectors of length 1; zero stays zero."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)


def desired(place, ahead, width):
    """Returns the desired directions."""
    offset = place[:, None, :, :] - place[:, :, None, :]
    distance = np.linalg.norm(offset, axis=-1)
    others = ~np.eye(COUNT, dtype=bool)
    way = unit(offset)
    seen = others & (np.einsum("rijk,rik->rij", way, ahead) >= np.cos(FIELD / 2))
    outer = REPULSION + width
    repulsion = others & (distance < REPULSION)
    orientation = seen & (distance >= REPULSION) & (distance < outer)
    attraction = seen & (distance >= outer) & (distance <= outer + ATTRACTION)
    away = -np.einsum("rij,rijk->rik", repulsion.astype(float), way)
    along = orientation.astype(float) @ ahead
    toward = np.einsum("rij,rijk->rik", attraction.astype(float), way)
    aim = unit(np.where(repulsion.any(axis=2)[..., None], away, unit(along) + unit(toward)))
    return np.where((aim == 0).all(axis=-1)[..., None], ahead, aim)


def disturbed(aim, rng):
    """Turns each direction by a normal angle toward a random side."""
    side = unit(np.cross(aim, rng.normal(size=aim.shape)))
    angle = rng.normal(0, NOISE, aim.shape[:2])[..., None]
    return aim * np.cos(angle) + side * np.sin(angle)


def turned(ahead, aim):
    """Turns toward the desired direction, by the greatest angle of a step at most."""
    most = TURN * STEP
    cosine = np.sum(ahead * aim, axis=-1, keepdims=True)
    partial = ahead * np.cos(most) + unit(aim - ahead * cosine) * np.sin(most)
    return unit(np.where(cosine < np.cos(most), partial, aim))


def figures(place, ahead):
    """Returns group polarization and group rotation."""
    outward = unit(place - place.mean(axis=1, keepdims=True))
    rotation = np.cross(outward, ahead).mean(axis=1)
    return [np.linalg.norm(vector, axis=-1) for vector in (ahead.mean(axis=1), rotation)]


def runs(width, replicates, warmup, steps, rng):
    """Returns the mean figures of each replicate, over the steps after the warm-up."""
    shape = (replicates, COUNT, 3)
    radius = START * np.cbrt(rng.uniform(size=(replicates, COUNT, 1)))
    place, ahead = unit(rng.normal(size=shape)) * radius, unit(rng.normal(size=shape))
    total = np.zeros((2, replicates))
    for step in range(1, steps + 1):
        ahead = turned(ahead, disturbed(desired(place, ahead, width), rng))
        place = place + ahead * SPEED * STEP
        if step > warmup:
            total += figures(place, ahead)
    return total / (steps - warmup)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=12)
    parser.add_argument("--warmup", type=int, default=1500)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=2002)
    arguments = parser.parse_args()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["orientation", "measure", "n", "mean", "error"])
    for at, width in enumerate(WIDTHS):
        rng = np.random.default_rng([arguments.seed, at])
        results = runs(width, arguments.replicates, arguments.warmup, arguments.steps, rng)
        for name, values in zip(["polarization", "milling"], results):
            error = values.std(ddof=1) / np.sqrt(len(values))
            table.writerow([width, name, len(values), f"{values.mean():.6f}", f"{error:.6f}"])
        sys.stdout.flush()


if __name__ == "__main__":
    main()
