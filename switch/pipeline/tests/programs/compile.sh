#!/bin/sh
# Compiles the test programs in this directory and writes the digest of sources and products; needs
# p4c-bm2-ss on PATH. With an argument, the products go to that directory instead, without a digest.
set -eu
cd "$(dirname "$0")"
products=${1:-.}
mkdir -p "$products"
for source in *.p4; do
    p4c-bm2-ss "$source" -o "$products/${source%.p4}.json"
done
if [ $# -eq 0 ]; then
    sha256sum -- *.p4 *.json > sources.sha256
fi
