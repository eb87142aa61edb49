#!/bin/sh
# Starts Alertmanager and a watcher on this host, which send alerts of the cluster to the given URL. With
# null instead of a URL, both are stopped and removed.
. ./lib/hook.sh
. ./lib/cluster.sh
wait_for_others
umask 077

if [ "$(raw_of alerts)" = null ]; then
  sh node/remove-alerts.sh
  echo 'alerts are disabled'
  exit
fi

if [ "$(raw_of takeover)" = true ]; then list_members; fi
[ -f "$prefix/settings" ] || fail "the package is not installed: $prefix/settings is missing"
. "$prefix/settings"
# raw JSON: a JSON string is also a YAML string
url=$(raw_of alerts.url)
case $url in
  '"http://'* | '"https://'*) ;;
  *) fail 'alerts.url is not an http or https URL' ;;
esac

rm -rf "$alerts/new"
mkdir -p "$alerts/new"
text_of alerts.token >"$alerts/new/token"
cat >"$alerts/new/settings" <<END
members='$members' api_port=$api_port
alertmanager_port=$alertmanager_port cluster_name=$cluster_name
END
cat >"$alerts/new/alertmanager.yml" <<END
route:
  receiver: wharf
  group_by: ['...']
  group_wait: 0s
  group_interval: 1s
  repeat_interval: 4h
receivers:
  - name: wharf
    webhook_configs:
      - url: $url
        send_resolved: true
        http_config:
          authorization:
            credentials_file: $alerts/token
END

is_ready() { http_get 127.0.0.1 "$alertmanager_port" /-/ready >/dev/null; }
is_running() { [ "$("$prefix/service.sh" state alertmanager)" = active ]; }
is_the_same() { for file in "$alerts"/new/*; do cmp -s "$file" "$alerts/${file##*/}" || return 1; done; }

if ! is_the_same; then
  progress 20 'writing the settings'
  for name in watcher alertmanager; do "$prefix/service.sh" stop "$name"; done
  mv -f "$alerts"/new/* "$alerts/"
fi
rm -r "$alerts/new"
if ! is_running && is_ready; then
  fail "another Alertmanager has port $alertmanager_port; install this package with another alertmanagerPort"
fi

progress 50 'starting Alertmanager and the watcher, unless they run'
for name in alertmanager watcher; do "$prefix/service.sh" start "$name"; done
tries=0
until is_ready; do
  tries=$((tries + 1))
  [ "$tries" -lt 50 ] || {
    "$prefix/service.sh" log alertmanager || true
    fail 'Alertmanager does not start'
  }
  sleep 0.2
done
echo "etcd on $members is watched"
