#!/bin/sh
# Forms a cluster of three with authentication. It can be stopped anywhere and run again; on a formed cluster it changes
# nothing. It runs on the package's host and reaches the two others over ssh.
. ./lib/hook.sh
. ./lib/ssh.sh
. ./lib/cluster.sh
. ./lib/nodes.sh
. ./lib/sign-in.sh
max_start_seconds=60
wait_for_others
[ "$(printf '%s\n' $members | uniq | wc -l)" = 3 ] || fail 'a cluster needs three different addresses'
[ -f "$prefix/settings" ] || fail "the package is not installed: $prefix/settings is missing"
. "$prefix/settings"

progress 5 'inspecting the three nodes'
inspect_nodes

# uninstall.sh has no input and reads this file
echo $others >copied-to
for node in $without_programs; do
  progress 20 "copying the programs to $node"
  copy_programs "$node"
done

if [ -n "$empty" ]; then
  progress 40 "adding$empty to the cluster"
  # in memory, and removed by the next run
  stage=$run/stage
  rm -rf "$stage"
  mkdir -p -m 700 "$run" "$stage"
  make_keys "$stage"
  for node in $empty; do write_node "$node" "$stage"; done
  rm -rf "$stage"
fi
for node in $here $others; do
  progress 50 "starting etcd on $node, unless it runs"
  on_node "$node" "$prefix/service.sh start etcd" || fail "etcd failed to start on $node"
done

progress 70 'waiting until all three are healthy'
deadline=$(($(date +%s) + max_start_seconds))
for node in $members; do
  until is_healthy "$node"; do
    [ "$(date +%s)" -lt "$deadline" ] || {
      on_node "$node" "$prefix/service.sh log etcd" || true
      fail "etcd on $node is not healthy after $max_start_seconds seconds"
    }
    sleep 0.2
  done
done
[ -f "$data/formed" ] || touch "$data/formed"

progress 90 'signing in'
sign_in
case $refusal in
  *'not enabled'*) enable_authentication ;;
esac
[ -n "$token" ] || fail "the cluster is formed, but its user cannot sign in: $refusal"
echo "etcd is healthy on $members, and its user can sign in"
