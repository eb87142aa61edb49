#!/bin/sh
# Succeeds when all files are installed, and each program starts on this host.
. ./lib/hook.sh
. ./lib/settings.sh

[ "$(cat "$prefix/fingerprint")" = "$(fingerprint)" ] || fail "$prefix differs from this package"
[ "$(cat "$prefix/settings")" = "$(settings_wanted)" ] || fail "$prefix/settings differs from the configuration"
for command in 'etcd --version' 'etcdctl version' 'prometheus-alertmanager --version'; do
  answer=$("$programs"/$command 2>&1) || fail "$command does not run on this host: $answer"
  # etcd may print a warning about the processor before its version
  printf '%s\n' "$answer" | grep -i -m 1 version
done
