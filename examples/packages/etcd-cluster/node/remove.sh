# Stops etcd on this node and removes the programs, not the data. The other nodes read it from standard input, because it
# removes its own folder.
set -eu
prefix=/opt/etcd-cluster

if [ -f "$prefix/fingerprint" ]; then
  "$prefix/service.sh" stop etcd
  rm -rf "$prefix"
fi
rm -rf "$prefix.new" "$prefix.old" /run/etcd-cluster /var/log/etcd-cluster
