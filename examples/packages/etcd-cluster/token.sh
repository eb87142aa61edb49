#!/bin/sh
# Prints a token of the cluster's user, from etcd's own API.
. ./lib/hook.sh
. ./lib/cluster.sh
. ./lib/sign-in.sh

sign_in
[ -n "$token" ] || fail "etcd returned no token: $refusal"
echo "::result {\"token\": \"$token\"}"
