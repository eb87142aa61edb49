# Sourced by all other scripts: the paths on each of the three nodes.

# programs and scripts: created by install.sh and cluster-init.sh, removed by uninstall.sh
prefix=/opt/etcd-cluster
programs=$prefix/debian/usr/bin
# the data of the cluster, its keys and the identity of this node: never removed
data=/var/lib/etcd-cluster
# the files of alerts.sh, on the package's host only
alerts=/var/lib/etcd-cluster-alerts
run=/run/etcd-cluster
log=/var/log/etcd-cluster

# this version of etcd requires this on ARM
if [ "$(uname -m)" = aarch64 ]; then export ETCD_UNSUPPORTED_ARCH=arm64; fi

# fail TEXT…: the error of a failed job contains the last line of its hook
fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# an address in the form of a URL
in_url() {
  case $1 in
    *:*) printf '[%s]' "$1" ;;
    *) printf '%s' "$1" ;;
  esac
}
