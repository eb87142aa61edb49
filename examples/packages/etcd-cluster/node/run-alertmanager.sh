#!/bin/sh
# Alertmanager, with what alerts.sh has written. It takes alerts from this host only and has no companions.
set -eu
. "$(dirname "$0")/places.sh"
. "$alerts/settings"

# Debian's Alertmanager reads its templates from this place and no other; Debian's Prometheus has the folder above it.
templates=/usr/share/prometheus/alertmanager
[ -e "$templates" ] || { mkdir -p "${templates%/*}" && ln -sfn "$prefix/debian$templates" "$templates"; }

exec "$programs/prometheus-alertmanager" \
  --config.file "$alerts/alertmanager.yml" \
  --storage.path "$alerts/storage" \
  --web.listen-address "127.0.0.1:$alertmanager_port" \
  --cluster.listen-address ''
