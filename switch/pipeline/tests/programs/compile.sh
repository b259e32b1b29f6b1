#!/bin/sh
# Compiles the test programs in this directory; needs p4c-bm2-ss on PATH.
# With an argument, the products go to that directory instead.
set -eu
cd "$(dirname "$0")"
products=${1:-.}
mkdir -p "$products/refused"
for source in *.p4; do
    program=${source%.p4}
    if [ "$program" != refused ]; then
        p4c-bm2-ss "$source" -o "$products/$program.json"
    fi
done
for construct in log_msg wide_register; do
    symbol=$(echo "$construct" | tr '[:lower:]' '[:upper:]')
    p4c-bm2-ss "-D$symbol" refused.p4 -o "$products/refused/$construct.json"
done
