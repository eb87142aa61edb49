# The user of the cluster. After cluster.sh. Both are JSON still, quotes included: a password may be anything.
username=$(raw_of cluster.username)
password=$(raw_of cluster.password)

# Sets $token, or $refusal to what etcd says.
sign_in() {
  answer=$(etcd_post /v3/auth/authenticate "{\"name\":$username,\"password\":$password}")
  token=$(printf '%s' "$answer" | json_text token)
  refusal=$(printf '%s' "$answer" | json_text error)
}

# etcd_do FINE PATH JSON: a refusal that is like FINE means that an earlier try has done it already
etcd_do() {
  answer=$(etcd_post "$2" "$3")
  refusal=$(printf '%s' "$answer" | json_text error)
  case $refusal in
    '' | $1) ;;
    *) fail "etcd refused $2: $refusal" ;;
  esac
}

# etcd wants a user called root. Nobody can sign in as that, unless it is the user we were given.
turn_authentication_on() {
  etcd_do '*already exists*' /v3/auth/role/add '{"name":"root"}'
  etcd_do '*already exists*' /v3/auth/user/add '{"name":"root","options":{"no_password":true}}'
  etcd_do '*already exists*' /v3/auth/user/add "{\"name\":$username,\"password\":$password}"
  etcd_do '' /v3/auth/user/changepw "{\"name\":$username,\"password\":$password}"
  etcd_do '' /v3/auth/user/grant '{"user":"root","role":"root"}'
  etcd_do '' /v3/auth/user/grant "{\"user\":$username,\"role\":\"root\"}"
  etcd_do '' /v3/auth/enable '{}'
  sign_in
}
