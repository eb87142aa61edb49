# What the hooks of a cluster are told: sets $here, $others, $members and $api_port. After hook.sh.

# address PATH: nothing else may get into a command or a file from here
address() {
  value=$(text_of "$1")
  case $value in
    *[!0-9A-Fa-f.:]*) fail "$1 is not an IP address" ;;
  esac
  printf '%s\n' "$value"
}

here=$(address cluster.managementIp)
# none when a cluster that is there already is only looked at
others=$(address cluster.otherManagementIp.0 && address cluster.otherManagementIp.1)
others=$(echo $others)
# the same on each node, in whatever order they were named
members=$(echo $(printf '%s\n' $here $others | sort))
api_port=$(text_of cluster.apiPort)
: "${api_port:=2379}"
[ -n "$here" ] || fail 'cluster.managementIp is missing'
case $api_port in *[!0-9]*) fail 'cluster.apiPort is not a number' ;; esac

is_healthy() { http_get "$1" "$api_port" /health | grep -q '"true"'; }

# etcd_post PATH JSON [TOKEN]: by the first member that answers, whatever it answers
etcd_post() {
  for member in $here $others; do
    reply=$(http_post "$member" "$api_port" "$1" "$2" "${3-}") || [ -n "$reply" ] || continue
    printf '%s' "$reply"
    return
  done
  fail "no member of the cluster answers at port $api_port"
}

# Of a cluster that was taken over Wharf knows one member: etcd names all of them, to whoever has a token. Sets $members.
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
