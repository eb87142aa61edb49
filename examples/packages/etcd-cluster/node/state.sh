# state.sh MEMBERS API_PORT PEER_PORT: says which programs this node has, by their fingerprint or `none`, and what it
# holds: `empty`, `ours ID`, or `foreign` and what it is. Changes nothing. It comes to the other nodes on standard input,
# before anything else does, so it reads no other script.
wanted_members=$1 wanted_ports="$2 and $3"
data=/var/lib/etcd-cluster

printf '%s ' "$(cat /opt/etcd-cluster/fingerprint 2>/dev/null || echo none)"
if [ -z "$(ls -A "$data" 2>/dev/null)" ]; then
  echo empty
elif [ ! -f "$data/node" ]; then
  echo "foreign data in $data that this package has not put there"
elif [ ! -d "$data/data/member" ]; then
  # it was prepared and never started
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
