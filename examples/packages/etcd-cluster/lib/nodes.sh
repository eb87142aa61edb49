# The three nodes, for cluster-init.sh. Source after cluster.sh, ssh.sh and the settings of the package.

# on_node ADDRESS COMMAND: on this node or another
on_node() { if [ "$1" = "$here" ]; then sh -c "$2"; else over_ssh "$1" "$2"; fi; }

# Sets $id to the id of the cluster on the nodes that have its data, and lists the nodes that are $empty and those that
# are $without_programs. Exits when a node has other data, before anything is changed.
inspect_nodes() {
  id='' empty='' without_programs=''
  for node in $here $others; do
    found=$(on_node "$node" "sh -s -- '$members' $api_port $peer_port" <node/state.sh) ||
      fail "$node cannot be reached by ssh"
    [ "${found%% *}" = "$(cat "$prefix/fingerprint")" ] || without_programs="$without_programs $node"
    state=${found#* }
    case $state in
      empty) refuse_busy "$node" && empty="$empty $node" ;;
      ours*) join "$node" "${state#ours }" ;;
      *) refuse "$node" "$state" ;;
    esac
  done
  # a member that has lost its data must not rejoin under its old name
  if [ -f "$data/formed" ] && [ -n "$empty" ]; then
    refuse "$empty" "nothing, though the cluster was formed: replace it by etcdctl member remove and member add"
  fi
}

# join NODE ID: the package's host is inspected and started first, so it has the cluster's data if any node does
join() {
  if [ "$1" = "$here" ]; then id=$2; fi
  [ "$id" = "$2" ] || refuse "$1" "foreign data in $data, of a cluster that $here is not in"
}

refuse_busy() {
  for port in "$api_port" "$peer_port"; do
    if timeout 2 bash -c ": </dev/tcp/$1/$port" 2>/dev/null; then refuse "$1" "port $port for something else"; fi
  done
}

refuse() {
  echo "refused, nothing was changed: ${1# } holds $2" >&2
  exit 3
}

copy_programs() {
  tar -C "$prefix" -cf - . | over_ssh "$1" "set -e
    rm -rf $prefix.new $prefix.old; mkdir -p $prefix.new; tar -C $prefix.new -xf -
    if [ -e $prefix ]; then mv $prefix $prefix.old; fi
    mv $prefix.new $prefix; rm -rf $prefix.old" || fail "copying the programs to $1 failed"
}

# make_keys FOLDER: the key pair that signs tokens, the existing one or a new one
make_keys() {
  if [ -n "$id" ]; then
    cp "$data/jwt.key" "$data/jwt.pub" "$1/"
  else
    id=$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')
    ssh-keygen -q -t rsa -b 2048 -m PEM -N '' -C '' -f "$1/jwt.key"
    ssh-keygen -e -m PKCS8 -f "$1/jwt.key" >"$1/jwt.pub"
  fi
}

# write_node NODE FOLDER: its identity, and the keys in the folder
write_node() {
  {
    echo "address=$1 members='$members' id=$id"
    echo "api_port=$api_port peer_port=$peer_port token_days=$token_days"
  } >"$2/node"
  tar -C "$2" -cf - node jwt.key jwt.pub |
    on_node "$1" "umask 077; mkdir -p $data && tar -C $data --no-same-owner -xf -" ||
    fail "writing $data on $1 failed"
}
