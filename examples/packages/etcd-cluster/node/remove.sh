# Stops etcd on this node and removes the programs, not the data. It comes to the other nodes on standard input, since it
# removes the folder that it lies in there.
set -eu
prefix=/opt/etcd-cluster

if [ -f "$prefix/fingerprint" ]; then
  "$prefix/service.sh" stop etcd
  rm -rf "$prefix"
fi
rm -rf "$prefix.new" "$prefix.old" /run/etcd-cluster /var/log/etcd-cluster
