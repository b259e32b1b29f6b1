#!/bin/sh
# Compiles the test programs in this directory; needs p4c-bm2-ss on PATH.
# With an argument, the products go to that directory instead.
set -eu
cd "$(dirname "$0")"
products=${1:-.}
mkdir -p "$products/refused"
for program in arithmetic digests headers matches meters parsing profiles replication state \
    traced value_sets; do
    p4c-bm2-ss "$program.p4" -o "$products/$program.json"
done
for construct in custom_crc \
    log_msg payload_checksum \
    wide_register; do
    symbol=$(echo "$construct" | tr '[:lower:]' '[:upper:]')
    p4c-bm2-ss "-D$symbol" refused.p4 -o "$products/refused/$construct.json"
done
