# Sourced first by every hook: its input in $input, and common functions.
set -eu
. ./node/places.sh
. ./node/http.sh
. ./lib/json.sh
input=$(cat)

progress() { echo "::progress $*"; }
text_of() { printf '%s' "$input" | json_text "$1"; }
raw_of() { printf '%s' "$input" | json_raw "$1"; }

# One hook at a time: Wharf repeats a step after a lost connection, and the first hook may still run.
wait_for_others() {
  [ "$(id -u)" = 0 ] || fail "this hook must run as root, not as $(id -un)"
  exec 9>/run/etcd-cluster.lock
  flock -w 60 9 || fail 'another hook of this package is still running'
}
