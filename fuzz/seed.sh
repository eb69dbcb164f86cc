#!/bin/sh
# Fills the corpus with the shipped scenes and scripts, and with a state, a replay and a picture of a run. Needs python3.
set -eu
cd "$(dirname "$0")"
mkdir -p corpus/scene corpus/script corpus/stored corpus/write_back
cp ../scenes/*.ron corpus/scene/
cp ../scenes/*.ron corpus/write_back/
cp ../scripts/*.rhai corpus/script/
cp seeds/*.rhai corpus/script/
cp seeds/*.ron corpus/scene/

files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
for scene in ../scenes/heading.ron seeds/few.ron; do
    name=$(basename "$scene" .ron)
    cargo run --quiet --manifest-path ../Cargo.toml -- run "$scene" --steps 10 --quiet \
        --save-state "$files/$name.state" --replay "$files/$name.replay" --record "$files/$name.png" --size 32x32 >"$files/hash"
done
# The first byte selects the reader, see targets/stored.rs. Contents are stored without their header and compression.
python3 - "$files" <<'PYTHON'
import pathlib, sys, zlib

HEADER = 35
for file in pathlib.Path(sys.argv[1]).iterdir():
    seeds = {".state": [(0, False), (2, True)], ".replay": [(3, True)], ".png": [(1, False)]}.get(file.suffix, [])
    for reader, is_content in seeds:
        data = file.read_bytes()
        if is_content:
            data = zlib.decompress(data[HEADER:], -15)
        pathlib.Path(f"corpus/stored/{file.name}-{reader}").write_bytes(bytes([reader]) + data)
PYTHON
