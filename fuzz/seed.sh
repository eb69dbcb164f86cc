#!/bin/sh
# Fills the corpus with the shipped scenes and scripts.
set -eu
cd "$(dirname "$0")"
mkdir -p corpus/scene corpus/script corpus/write_back
cp ../scenes/*.ron corpus/scene/
cp ../scenes/*.ron corpus/write_back/
cp ../scripts/*.rhai corpus/script/
cp seeds/*.rhai corpus/script/
cp seeds/*.ron corpus/scene/
