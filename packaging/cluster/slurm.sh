#!/usr/bin/env bash
# Makes one part of a sweep per task of a Slurm array; the last part merges them. Submit it in the folder of the project:
#
#     mkdir -p parts && sbatch --array=1-100 slurm.sh EXPERIMENT OUT.csv
#
# Slurm makes no folder for the logs: without `parts`, tasks fail without a message.
#
# A part that reaches its time limit is paused by the signal, queued again, and continues where it stopped. `merge` fails while
# a part is missing or unfinished, so the last part to finish writes the table.
#SBATCH --job-name=steerbox
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
#SBATCH --output=parts/%a.log
set -uo pipefail

experiment=$1 out=$2
part=parts/$SLURM_ARRAY_TASK_ID.csv
mkdir -p parts
steerbox sweep "$experiment" --quiet --threads "$SLURM_CPUS_PER_TASK" \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --out "$part" &
sweep=$!
trap 'kill -TERM $sweep' TERM
wait $sweep
status=$?
# The signal ends the first `wait`; the second one returns the status of the sweep.
if kill -0 $sweep 2>/dev/null; then wait $sweep; status=$?; fi
if [ $status -eq 143 ]; then
  scontrol requeue "$SLURM_JOB_ID"
elif [ $status -eq 0 ]; then
  # One task merges at a time.
  exec 9>parts/merge.lock
  flock 9
  mapfile -t tables < <(seq --format 'parts/%.0f.csv' "$SLURM_ARRAY_TASK_COUNT")
  steerbox merge "${tables[@]}" --out "$out" 2>parts/merge.log || true
fi
exit $status
