# Stops Alertmanager and the watcher, and removes what alerts.sh has set up. For the package's host.
set -eu
prefix=/opt/etcd-cluster

if [ -f "$prefix/fingerprint" ]; then
  for name in watcher alertmanager; do "$prefix/service.sh" stop "$name"; done
fi
rm -rf /var/lib/etcd-cluster-alerts
# see run-alertmanager.sh
if [ "$(readlink /usr/share/prometheus)" = "$prefix/debian/usr/share/prometheus" ]; then rm -f /usr/share/prometheus; fi
