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
