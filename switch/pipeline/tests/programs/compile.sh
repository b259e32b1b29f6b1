#!/bin/sh
# Compiles the test programs in this directory; needs p4c-bm2-ss on PATH.
# With an argument, the products go to that directory instead.
set -eu
cd "$(dirname "$0")"
products=${1:-.}
mkdir -p "$products"
for source in *.p4; do
    p4c-bm2-ss "$source" -o "$products/${source%.p4}.json"
done
