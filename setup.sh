#!/usr/bin/env bash
# Installs the Debian packages of packages.txt that are missing, and a Rust toolchain where there
# is none. Usage: setup.sh demo|development [sudo]; development includes what demo needs.
set -euo pipefail
case "${1:-}" in
    demo) groups=' demo ' ;;
    development) groups=' demo development ' ;;
    *) echo 'usage: setup.sh demo|development [sudo]' >&2; exit 2 ;;
esac
as_root=${2:-}

minimum_rust=1.85

rust_is_recent() {
    command -v cargo >/dev/null || return 1
    local version
    version=$(rustc --version | cut -d' ' -f2)
    [ "$(printf '%s\n' "$minimum_rust" "$version" | sort -V | head -n 1)" = "$minimum_rust" ]
}

is_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

missing=()
while read -r group package reason; do
    case "$group" in ''|'#') continue ;; esac
    [[ "$groups" == *" $group "* ]] || continue
    is_installed "$package" || missing+=("$package|$reason")
done < packages.txt
# Debian keeps a recent toolchain under these names for its browsers.
if ! rust_is_recent; then
    missing+=("rustc-web|compiling the embedded switch" "cargo-web|compiling the embedded switch")
fi

if [ ${#missing[@]} -eq 0 ]; then
    echo 'all Debian packages are there'
    exit 0
fi
echo 'These Debian packages are missing and will be installed, which takes root:'
for entry in "${missing[@]}"; do
    printf '  %-16s %s\n' "${entry%%|*}" "${entry#*|}"
done
$as_root apt-get update -qq
# Another installation may be running: automatic updates, on a machine that has just started.
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends "${missing[@]%%|*}"
