#!/bin/sh
# Succeeds when everything is in place, and each program starts on this host.
. ./lib/hook.sh
. ./lib/settings.sh

[ "$(cat "$prefix/fingerprint")" = "$(fingerprint)" ] || fail "$prefix is not what this package brings"
[ "$(cat "$prefix/settings")" = "$(settings_wanted)" ] || fail "$prefix/settings is not what was asked for"
for command in 'etcd --version' 'etcdctl version' 'prometheus-alertmanager --version'; do
  answer=$("$programs"/$command 2>&1) || fail "$command does not run on this host: $answer"
  # etcd may speak of the processor before it says its version
  printf '%s\n' "$answer" | grep -i -m 1 version
done
