# The user of the cluster. Source after cluster.sh. Both are raw JSON, because a password may have any content.
username=$(raw_of cluster.username)
password=$(raw_of cluster.password)

# Sets $token, or $refusal to etcd's error.
sign_in() {
  answer=$(etcd_post /v3/auth/authenticate "{\"name\":$username,\"password\":$password}")
  token=$(printf '%s' "$answer" | json_text token)
  refusal=$(printf '%s' "$answer" | json_text error)
}

# etcd_do PATTERN PATH JSON: an error that matches PATTERN means that an earlier run has already done it
etcd_do() {
  answer=$(etcd_post "$2" "$3")
  refusal=$(printf '%s' "$answer" | json_text error)
  case $refusal in
    '' | $1) ;;
    *) fail "etcd refused $2: $refusal" ;;
  esac
}

# etcd requires a user named root. Without a password nobody can sign in as root, unless it is the given user.
enable_authentication() {
  etcd_do '*already exists*' /v3/auth/role/add '{"name":"root"}'
  etcd_do '*already exists*' /v3/auth/user/add '{"name":"root","options":{"no_password":true}}'
  etcd_do '*already exists*' /v3/auth/user/add "{\"name\":$username,\"password\":$password}"
  etcd_do '' /v3/auth/user/changepw "{\"name\":$username,\"password\":$password}"
  etcd_do '' /v3/auth/user/grant '{"user":"root","role":"root"}'
  etcd_do '' /v3/auth/user/grant "{\"user\":$username,\"role\":\"root\"}"
  etcd_do '' /v3/auth/enable '{}'
  sign_in
}
