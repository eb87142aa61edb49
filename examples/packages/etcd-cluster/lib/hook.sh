# The beginning of every hook: its input in $input, and the functions that all of them need.
set -eu
. ./node/places.sh
. ./node/http.sh
. ./lib/json.sh
input=$(cat)

progress() { echo "::progress $*"; }
text_of() { printf '%s' "$input" | json_text "$1"; }
raw_of() { printf '%s' "$input" | json_raw "$1"; }

# One hook at a time: Wharf repeats a step when it has lost sight of the first one, which may still run.
wait_for_others() {
  [ "$(id -u)" = 0 ] || fail "this has to run as root, not as $(id -un)"
  exec 9>/run/etcd-cluster.lock
  flock -w 60 9 || fail 'another hook of this package is still running'
}
