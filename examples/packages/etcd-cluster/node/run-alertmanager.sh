#!/bin/sh
# Runs Alertmanager with the settings of alerts.sh. It accepts alerts from this host only and has no peers.
set -eu
. "$(dirname "$0")/places.sh"
. "$alerts/settings"

# Debian's Alertmanager reads its templates only from this folder; Debian's Prometheus owns its parent.
templates=/usr/share/prometheus/alertmanager
[ -e "$templates" ] || { mkdir -p "${templates%/*}" && ln -sfn "$prefix/debian$templates" "$templates"; }

exec "$programs/prometheus-alertmanager" \
  --config.file "$alerts/alertmanager.yml" \
  --storage.path "$alerts/storage" \
  --web.listen-address "127.0.0.1:$alertmanager_port" \
  --cluster.listen-address ''
