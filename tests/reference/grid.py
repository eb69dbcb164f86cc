#!/usr/bin/env python3
"""Evaporation, diffusion, deposits and interpolation of environment grids in NumPy, with 64-bit numbers.

Writes the values of all cells, and values and gradients at some points, for the test `grids`:

    grid.py > grid.csv
"""

import math

import numpy as np

CELL, STEP, DIFFUSION, EVAPORATION, STEPS = 2.0, 0.1, 12.0, 0.5, 20
# Name, cells along z, y and x, whether opposite edges are adjacent, and the corner of least coordinates.
CASES = [
    ("wrap", (1, 6, 12), True, (0, 0, 0)),
    ("bounce", (1, 6, 12), False, (0, 0, 0)),
    ("space", (4, 4, 4), False, (-4, -4, -4)),
]
POINTS = [(1, 1, 0), (2, 3, 0), (0.25, 11.5, 0), (23.9, 0.1, 0), (-1, 5, 0), (3, -2, 1.5), (-3.9, 1.2, -0.7), (30, 30, 30)]


def spread(values, wrap):
    """Returns the values after the diffusion of a step."""
    moved = DIFFUSION * STEP
    passes = max(1, math.ceil(2 * moved))
    axes = [axis for axis in range(3) if values.shape[axis] > 1]
    for _ in range(passes):
        padded = np.pad(values, 1, mode="wrap" if wrap else "edge")
        inner = [slice(1, -1)] * 3
        beside = []
        for axis in axes:
            for shift in (slice(0, -2), slice(2, None)):
                beside.append(padded[tuple(inner[:axis] + [shift] + inner[axis + 1 :])])
        values = values + moved / passes * (np.mean(beside, axis=0) - values)
    return values


def value(values, wrap, origin, point):
    """Returns the value at a point, interpolated between the centers of cells."""
    result = 0.0
    place = [(point[axis] - origin[axis]) / CELL - 0.5 for axis in range(3)]
    if values.shape[0] == 1:
        place[2] = 0.0
    for corner in np.ndindex(2, 2, 2):
        weight, index = 1.0, []
        for axis in range(3):
            count = values.shape[2 - axis]
            at = place[axis] if wrap else min(max(place[axis], 0), count - 1)
            low = math.floor(at)
            weight *= (at - low) if corner[axis] else 1 - (at - low)
            index.append((low + corner[axis]) % count if wrap else min(low + corner[axis], count - 1))
        result += weight * values[index[2], index[1], index[0]]
    return result


def main():
    print("case,what,index,value")
    for name, shape, wrap, origin in CASES:
        values = np.full(shape, 0.25)
        for step in range(STEPS):
            values = spread(values * math.exp(-EVAPORATION * STEP), wrap)
            values.flat[7 * step % values.size] += step + 0.5
        for index, one in enumerate(values.flat):
            print(f"{name},cell,{index},{one:.9g}")
        for index, point in enumerate(POINTS):
            print(f"{name},value,{index},{value(values, wrap, origin, point):.9g}")
            for axis in range(3 if shape[0] > 1 else 2):
                ahead, behind = [
                    value(values, wrap, origin, [p + side * CELL * (a == axis) for a, p in enumerate(point)])
                    for side in (1, -1)
                ]
                print(f"{name},gradient {'xyz'[axis]},{index},{(ahead - behind) / (2 * CELL):.9g}")


if __name__ == "__main__":
    main()
