#!/bin/sh
# service.sh start|stop|state|log NAME: keeps run-NAME.sh running on this node, with systemd where available and
# with keep-running.sh elsewhere. Start and stop are idempotent.
set -eu
. "$(dirname "$0")/places.sh"
action=$1 name=$2
unit=etcd-cluster-$name.service
pid_file=$run/$name.pid

with_systemd() {
  case $action in
    start)
      cat >"/etc/systemd/system/$unit" <<UNIT
[Unit]
Description=etcd-cluster: $name
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
ExecStart=$prefix/run-$name.sh
Restart=always
RestartSec=1

[Install]
WantedBy=multi-user.target
UNIT
      systemctl daemon-reload
      systemctl --quiet enable --now "$unit"
      ;;
    stop)
      [ -f "/etc/systemd/system/$unit" ] || return 0
      systemctl --quiet disable --now "$unit"
      rm -f "/etc/systemd/system/$unit"
      systemctl daemon-reload
      ;;
    state) systemctl is-active "$unit" || true ;;
    log) journalctl --unit "$unit" --lines 5 --no-pager --output cat ;;
  esac
}

# keep-running.sh leads a process group, and everything it starts is in it
leader() { cat "$pid_file" 2>/dev/null || echo none; }
command_of_leader() { cat "/proc/$(leader)/cmdline" 2>/dev/null | tr '\0' ' '; }
is_kept() { command_of_leader | grep -q "keep-running.sh $name "; }
# the leader may have been killed; its process id is not reused while the group exists
is_left() { [ "$(leader)" != none ] && kill -s 0 -- "-$(leader)" 2>/dev/null; }
is_ours() { is_left && { is_kept || [ -z "$(command_of_leader)" ]; }; }

end_group() {
  is_ours || return 0
  kill -s TERM -- "-$(leader)" 2>/dev/null || true
  tries=0
  while is_left; do
    tries=$((tries + 1))
    [ "$tries" -ne 100 ] || kill -s KILL -- "-$(leader)" 2>/dev/null || true
    [ "$tries" -lt 200 ] || fail "$name does not end"
    sleep 0.1
  done
}

without_systemd() {
  case $action in
    start)
      ! is_kept || return 0
      end_group
      mkdir -p "$run" "$log"
      # 9 is the lock of a hook
      setsid "$prefix/keep-running.sh" "$name" </dev/null >>"$log/$name.log" 2>&1 9>&- &
      echo $! >"$pid_file"
      ;;
    stop)
      end_group
      rm -f "$pid_file"
      ;;
    state) if is_kept; then echo active; else echo inactive; fi ;;
    log) tail -n 5 "$log/$name.log" ;;
  esac
}

if [ -d /run/systemd/system ]; then with_systemd; else without_systemd; fi
