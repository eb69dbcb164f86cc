#!/usr/bin/env bash
# Makes a sweep in parts with GNU parallel, and merges them.
#
#     parallel.sh EXPERIMENT PARTS OUT.csv
#
# EXPERIMENT is a name in experiments/. Options of GNU parallel in PARALLEL apply: --sshloginfile hosts.txt --workdir . spreads
# the parts over machines that share this folder. The same command continues an interrupted sweep.
set -euo pipefail

experiment=$1 parts=$2 out=$3
mkdir -p parts
seq "$parts" | parallel --halt now,fail=1 \
  steerbox sweep "$experiment" --quiet --threads 1 --shard "{}/$parts" --out "parts/{}.csv"
steerbox merge $(seq --format 'parts/%.0f.csv' "$parts") --out "$out"
