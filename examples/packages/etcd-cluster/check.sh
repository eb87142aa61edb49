#!/bin/sh
# Without a token: succeeds when a majority is healthy. With one: when etcd accepts it. Ends within five seconds.
. ./lib/hook.sh
. ./lib/cluster.sh
http_seconds=1
token=$(text_of token)

if [ -z "$token" ]; then
  all=0 healthy=0
  for member in $members; do
    all=$((all + 1))
    if is_healthy "$member"; then healthy=$((healthy + 1)); else echo "etcd on $member is not healthy"; fi
  done
  echo "$healthy of $all members are healthy"
  [ "$((healthy * 2))" -gt "$all" ]
  exit
fi

case $token in
  *[!A-Za-z0-9._~+/=-]*) fail 'the token is not a token of etcd' ;;
esac
# Sets $refusal to etcd's error for reading a key. Any key works: etcd checks the token first.
read_a_key() {
  answer=$(etcd_post /v3/kv/range '{"key":"d2hhcmY=","keys_only":true}' "$1")
  refusal=$(printf '%s' "$answer" | json_text error)
}
read_a_key "$token"
[ -z "$refusal" ] || fail "etcd refused the token: $refusal"
read_a_key ''
[ -n "$refusal" ] || fail 'etcd requires no token: authentication is disabled'
echo 'etcd accepts the token'
