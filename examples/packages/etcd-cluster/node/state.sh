# state.sh MEMBERS API_PORT PEER_PORT: prints the fingerprint of the programs on this node or `none`, and its data:
# `empty`, `ours ID`, or `foreign` and a description. Changes nothing. The other nodes read it from standard input
# before any other file, so it sources no other script.
wanted_members=$1 wanted_ports="$2 and $3"
data=/var/lib/etcd-cluster

printf '%s ' "$(cat /opt/etcd-cluster/fingerprint 2>/dev/null || echo none)"
if [ -z "$(ls -A "$data" 2>/dev/null)" ]; then
  echo empty
elif [ ! -f "$data/node" ]; then
  echo "foreign data in $data that does not belong to this package"
elif [ ! -d "$data/data/member" ]; then
  # prepared but never started
  echo empty
else
  . "$data/node"
  if [ "$members" != "$wanted_members" ]; then
    echo "foreign data in $data, of a cluster of $members"
  elif [ "$api_port and $peer_port" != "$wanted_ports" ]; then
    echo "foreign data in $data, of a cluster with the ports $api_port and $peer_port"
  else
    echo "ours $id"
  fi
fi
