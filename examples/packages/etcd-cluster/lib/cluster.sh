# The input of cluster hooks: sets $here, $others, $members and $api_port. Source after hook.sh.

# address PATH: rejects everything else, because the value is used in commands and files
address() {
  value=$(text_of "$1")
  case $value in
    *[!0-9A-Fa-f.:]*) fail "$1 is not an IP address" ;;
  esac
  printf '%s\n' "$value"
}

here=$(address cluster.managementIp)
# empty when a cluster is taken over
others=$(address cluster.otherManagementIp.0 && address cluster.otherManagementIp.1)
others=$(echo $others)
# the same on each node, independent of the order in the input
members=$(echo $(printf '%s\n' $here $others | sort))
api_port=$(text_of cluster.apiPort)
: "${api_port:=2379}"
[ -n "$here" ] || fail 'cluster.managementIp is missing'
case $api_port in *[!0-9]*) fail 'cluster.apiPort is not a number' ;; esac

is_healthy() { http_get "$1" "$api_port" /health | grep -q '"true"'; }

# etcd_post PATH JSON [TOKEN]: returns the response of the first member that responds
etcd_post() {
  for member in $here $others; do
    reply=$(http_post "$member" "$api_port" "$1" "$2" "${3-}") || [ -n "$reply" ] || continue
    printf '%s' "$reply"
    return
  done
  fail "no member of the cluster responds on port $api_port"
}

# The input of a takeover has one member; etcd lists all of them to a client with a token. Sets $members.
list_members() {
  listed=$(etcd_post /v3/cluster/member/list '{}' "$(text_of token)")
  refusal=$(printf '%s' "$listed" | json_text error)
  [ -z "$refusal" ] || fail "etcd does not list its members: $refusal"
  members='' index=0
  while url=$(printf '%s' "$listed" | json_text "members.$index.clientURLs.0") && [ -n "$url" ]; do
    host=${url#*://}
    host=${host%:*}
    host=${host#[}
    host=${host%]}
    case $host in *[!0-9A-Fa-f.:]*) fail "etcd lists a member at $host, which is not an IP address" ;; esac
    members="$members $host"
    index=$((index + 1))
  done
  members=$(echo $(printf '%s\n' $members | sort))
  [ -n "$members" ] || fail 'etcd lists no members'
}
