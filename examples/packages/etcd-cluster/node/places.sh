# Read by all other scripts: where things are, on each of the three nodes.

# programs and scripts: put there by install.sh and cluster-init.sh, removed by uninstall.sh
prefix=/opt/etcd-cluster
programs=$prefix/debian/usr/bin
# what the cluster holds, its keys and what this node is in it: never removed
data=/var/lib/etcd-cluster
# what alerts.sh has set up, on the package's host only
alerts=/var/lib/etcd-cluster-alerts
run=/run/etcd-cluster
log=/var/log/etcd-cluster

# etcd of this version has to be told that it may run there
if [ "$(uname -m)" = aarch64 ]; then export ETCD_UNSUPPORTED_ARCH=arm64; fi

# fail WORDS…: the last line of a hook that fails is what people get to read
fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# an address as it stands in a URL
in_url() {
  case $1 in
    *:*) printf '[%s]' "$1" ;;
    *) printf '%s' "$1" ;;
  esac
}
