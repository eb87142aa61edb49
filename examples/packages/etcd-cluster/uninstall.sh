#!/bin/sh
# Stops everything and removes the programs, here and on the nodes they were copied to. The data of the cluster stays.
. ./lib/hook.sh
. ./lib/ssh.sh
wait_for_others

copied_to=$(cat copied-to 2>/dev/null || true)
left=''
for node in $copied_to; do
  progress 30 "removing it from $node"
  over_ssh "$node" 'sh -s' <node/remove.sh || left="$left $node"
done
progress 80 'removing it from this host'
sh node/remove-alerts.sh
sh node/remove.sh
if [ -n "$left" ]; then
  echo "failed to remove it from$left: etcd may still run there, from $prefix"
  # for the next uninstall
  echo $left >copied-to
else
  rm -f copied-to
fi
[ ! -d "$data" ] || echo "the data of the cluster stays: $data on this host${copied_to:+ and on $copied_to}"
