# Stops Alertmanager and the watcher, and removes the files of alerts.sh. For the package's host.
set -eu
prefix=/opt/etcd-cluster

if [ -f "$prefix/fingerprint" ]; then
  for name in watcher alertmanager; do "$prefix/service.sh" stop "$name"; done
fi
rm -rf /var/lib/etcd-cluster-alerts
# see run-alertmanager.sh
templates=/usr/share/prometheus/alertmanager
if [ "$(readlink "$templates")" = "$prefix/debian$templates" ]; then
  rm -f "$templates"
  rmdir "${templates%/*}" 2>/dev/null || true
fi
