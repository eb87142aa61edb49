#!/bin/sh
# Alertmanager, with what alerts.sh has written. It takes alerts from this host only and has no companions.
set -eu
. "$(dirname "$0")/places.sh"
. "$alerts/settings"

# Debian's Alertmanager reads its templates from this place and no other.
[ -e /usr/share/prometheus ] || ln -sfn "$prefix/debian/usr/share/prometheus" /usr/share/prometheus

exec "$programs/prometheus-alertmanager" \
  --config.file "$alerts/alertmanager.yml" \
  --storage.path "$alerts/storage" \
  --web.listen-address "127.0.0.1:$alertmanager_port" \
  --cluster.listen-address ''
