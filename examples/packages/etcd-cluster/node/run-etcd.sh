#!/bin/sh
# Runs etcd with the settings of this node, which cluster-init.sh writes before the first start.
set -eu
. "$(dirname "$0")/places.sh"
# sets address, members, id, peer_port, api_port, token_days
. "$data/node"

all=''
for member in $members; do
  all=$all${all:+,}$member=http://$(in_url "$member"):$peer_port
done
peer=http://$(in_url "$address"):$peer_port
api=http://$(in_url "$address"):$api_port

# The three share a key pair, so that a token of one is valid on all, and after a restart.
exec "$programs/etcd" \
  --name "$address" \
  --data-dir "$data/data" \
  --initial-cluster-state new \
  --initial-cluster-token "$id" \
  --initial-cluster "$all" \
  --initial-advertise-peer-urls "$peer" \
  --listen-peer-urls "$peer" \
  --advertise-client-urls "$api" \
  --listen-client-urls "$api" \
  --auth-token "jwt,pub-key=$data/jwt.pub,priv-key=$data/jwt.key,sign-method=RS256,ttl=$((token_days * 24))h" \
  --logger zap
