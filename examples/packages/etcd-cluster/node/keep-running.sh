#!/bin/sh
# keep-running.sh NAME: runs run-NAME.sh, restarts it when it ends, and limits the size of its log. For hosts
# without systemd. service.sh starts it with that log as its output, and ends it with its child processes.
. "$(dirname "$0")/places.sh"
name=$1
max_log_bytes=10000000

cut_log() {
  [ "$(wc -c <"$log/$name.log")" -gt "$max_log_bytes" ] || return 0
  cp "$log/$name.log" "$log/$name.log.old"
  : >"$log/$name.log"
}

while :; do
  "$prefix/run-$name.sh" &
  while sleep 1 && kill -s 0 $! 2>/dev/null; do cut_log; done
  wait $!
  echo "$(date -u +%FT%TZ) $name ended with $? and is restarted"
done
