#!/usr/bin/env python3
"""Makes a sweep in parts with HyperQueue (`pip install hyperqueue`), and merges them.

    hq.py EXPERIMENT PARTS OUT.csv [SERVER_FOLDER]

Without the folder of a running server, a cluster of this machine is started.
"""

import pathlib
import subprocess
import sys

from hyperqueue import Client, Job, LocalCluster

experiment, parts, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
folder = pathlib.Path.cwd()
(folder / "parts").mkdir(exist_ok=True)
tables = [f"parts/{part}.csv" for part in range(1, parts + 1)]


def submit(client):
    job = Job(max_fails=0)
    for part, table in enumerate(tables, 1):
        job.program(
            ["steerbox", "sweep", experiment, "--quiet", "--threads", "1", "--shard", f"{part}/{parts}", "--out", table],
            cwd=str(folder),
            stdout=str(folder / f"{table}.log"),
            stderr=str(folder / f"{table}.log"),
        )
    client.wait_for_jobs([client.submit(job)])


if len(sys.argv) > 4:
    submit(Client(sys.argv[4]))
else:
    with LocalCluster() as cluster:
        cluster.start_worker()
        submit(cluster.client())
subprocess.run(["steerbox", "merge", *tables, "--out", out], check=True)
