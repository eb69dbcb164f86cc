"""Compares m.parquet with m.csv in a folder: names, types, units and every value."""

import csv
import struct
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

folder = Path(sys.argv[1])
table = pq.read_table(folder / "m.parquet")
with open(folder / "m.csv", newline="") as file:
    header, *rows = csv.reader(file)

assert table.column_names == header, (table.column_names, header)
assert table.num_rows == len(rows) > 4096, (table.num_rows, len(rows))

counts = [name for name in header if table.schema.field(name).type == pa.int64()]
assert all(table.schema.field(name).type == pa.float64() for name in header if name not in counts)
assert {"step", "starlings.count", "starlings.errors", "starlings.clusters"} <= set(counts), counts


def unit(name):
    return ((table.schema.field(name).metadata or {}).get(b"unit") or b"").decode()


units = {name: unit(name) for name in ["step", "time", "starlings.speed", "starlings.count", "starlings.extent.x"]}
assert units == {
    "step": "steps",
    "time": "s",
    "starlings.speed": "length/s",
    "starlings.count": "units",
    "starlings.extent.x": "",
}, units


def single(number):
    return struct.unpack("f", struct.pack("f", number))[0]


for at, name in enumerate(header):
    for row, value in zip(rows, table.column(name).to_pylist()):
        cell = row[at]
        expected = None if cell == "" else single(float(cell))
        found = None if value is None else single(value)
        assert expected == found, (name, row[0], cell, value)

print(f"{table.num_rows} rows of {len(header)} columns are those of the CSV")
