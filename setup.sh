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
patience_s=600

give_up() {
    echo "setup.sh: $*" >&2
    exit 1
}

rust_is_recent() {
    command -v cargo >/dev/null && command -v rustc >/dev/null || return 1
    local version
    version=$(rustc --version | cut -d' ' -f2)
    [ "$(printf '%s\n' "$minimum_rust" "$version" | sort -V | head -n 1)" = "$minimum_rust" ]
}

is_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Another installation may be running: automatic updates, on a machine that has just started.
# apt-get can wait for dpkg's locks, but not for those of its lists and of what it downloads.
apt_get() {
    local said lock told=''
    until said=$($as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -qq "$@" 2>&1 >&3); do
        if [[ "$said" != *'Could not get lock'* ]] || ((SECONDS >= patience_s)); then
            echo "$said" >&2
            return 1
        fi
        lock=${said#*E: }
        lock=${lock%%$'\n'*}
        [ "$lock" = "$told" ] || echo "waiting for another installation to end: $lock"
        told=$lock
        sleep 1
    done 3>&1
    [ -z "$said" ] || echo "$said" >&2
}

missing=()
while read -r group package reason; do
    case "$group" in ''|'#') continue ;; esac
    [[ "$groups" == *" $group "* ]] || continue
    is_installed "$package" || missing+=("$package|$reason")
done < packages.txt
if ! rust_is_recent; then
    cargo=$(command -v cargo || true)
    # Debian's would stand behind it on PATH.
    case "$cargo" in ''|/usr/bin/cargo|/bin/cargo) ;; *)
        give_up "$cargo does not run Rust $minimum_rust or later: update it, or take it off PATH" ;;
    esac
    # Debian keeps a recent toolchain under these names for its browsers.
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
command -v apt-get >/dev/null || give_up 'this machine has no apt-get: the set-up needs Debian'
install=(install --no-install-recommends "${missing[@]%%|*}")
by_hand="not installed; as root, type: apt-get ${install[*]}"
$as_root true || give_up "$by_hand"
# The lists of last week may do, where one of many sources cannot be reached.
apt_get update || true
apt_get "${install[@]}" --yes || give_up "$by_hand"
