#!/bin/sh
# Probes the three members every second, and reports alerts and their end to Alertmanager.
#
# A firing alert is a file in $alerts/firing that contains its start: it survives a restart of this script, and is removed
# when Alertmanager has accepted the end. An alert fires after two failed probes, because a restart is not an alert.
set -eu
. "$(dirname "$0")/places.sh"
. "$(dirname "$0")/http.sh"
# sets members, api_port, alertmanager_port, cluster_name
. "$alerts/settings"
http_seconds=2
firing=$alerts/firing
mkdir -p "$firing"

now() { date -u +%FT%TZ; }

# post NAME INSTANCE SUMMARY [ENDED]
post() {
  since=$(cat "$firing/$1@$2")
  labels='"alertname":"%s","severity":"critical","instance":"%s","cluster":"%s"'
  alert=$(printf "{\"labels\":{$labels},\"annotations\":{\"summary\":\"%s\"},\"startsAt\":\"%s\"%s}" \
    "$1" "$2" "$cluster_name" "$3" "$since" "${4:+,\"endsAt\":\"$4\"}")
  http_post 127.0.0.1 "$alertmanager_port" /api/v2/alerts "[$alert]" >/dev/null
}

# Repeated in every round: Alertmanager resolves an alert that is not repeated.
raise() {
  if [ ! -s "$firing/$1@$2" ]; then
    echo "$(now) $1 $2: $3"
    now >"$firing/$1@$2"
  fi
  post "$@" || echo "$(now) Alertmanager did not accept $1 $2"
}

withdraw() {
  [ -s "$firing/$1@$2" ] || return 0
  if post "$@" "$(now)"; then
    echo "$(now) $1 $2: resolved"
    rm -f "$firing/$1@$2"
  fi
}

silent_before='' quorum_before=yes
while :; do
  silent='' healthy=0 all=0
  for member in $members; do
    all=$((all + 1))
    case $(http_get "$member" "$api_port" /health || true) in
      '') silent="$silent $member" ;;
      *'"true"'*) healthy=$((healthy + 1)) ;;
    esac
  done

  for member in $members; do
    summary="etcd on $member does not answer"
    case "$silent |$silent_before " in
      *" $member "*'|'*" $member "*) raise EtcdMemberDown "$member" "$summary" ;;
      *" $member "*) ;;
      *) withdraw EtcdMemberDown "$member" "$summary" ;;
    esac
  done

  if [ "$((healthy * 2))" -gt "$all" ]; then quorum=yes; else quorum=no; fi
  summary="too few members of $cluster_name are healthy for it to accept writes"
  case $quorum_before$quorum in
    nono) raise EtcdNoQuorum "$cluster_name" "$summary" ;;
    *yes) withdraw EtcdNoQuorum "$cluster_name" "$summary" ;;
  esac

  silent_before=$silent quorum_before=$quorum
  sleep 1
done
