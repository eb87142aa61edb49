#!/bin/sh
# A real S3: one Ceph monitor, one object store in memory and a gateway, all on the loopback address.
#
#   radosgw.sh FOLDER MONITOR_PORT GATEWAY_PORT ACCESS_KEY_ID SECRET_ACCESS_KEY
#
# Prints `ready` when the gateway answers. When standard input ends, however the process at its other end did, everything
# goes.
set -eu
folder=$1 monitor_port=$2 gateway_port=$3 access_key_id=$4 secret_access_key=$5
exec 3<&0 </dev/null

take_down() {
  set +e
  # the gateway first: without its cluster it would not end
  for name in gateway store monitor; do
    [ -f "$folder/$name.pid" ] && kill -s KILL "$(cat "$folder/$name.pid")"
  done
  wait
  rm -rf "$folder"
} >/dev/null 2>&1
trap take_down EXIT
trap 'exit 1' HUP INT TERM

export CEPH_CONF="$folder/ceph.conf"
# whatever this machine has under /etc/ceph is another cluster
export CEPH_ARGS=''
fsid=$(uuidgen)
cat >"$CEPH_CONF" <<END
[global]
fsid = $fsid
mon_host = [v2:127.0.0.1:$monitor_port]
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
auth_cluster_required = cephx
auth_service_required = cephx
auth_client_required = cephx
auth_allow_insecure_global_id_reclaim = false
keyring = $folder/\$name.keyring
run_dir = $folder
admin_socket = $folder/\$name.asok
log_file = $folder/\$name.log
mon_cluster_log_file = $folder/cluster.log
crash_dir = $folder
mon_data = $folder/mon
osd_data = $folder/osd
rgw_data = $folder/rgw
osd_objectstore = memstore
memstore_device_bytes = 4294967296
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_warn_on_pool_no_redundancy = false
mon_data_avail_crit = 1
mon_osd_full_ratio = 0.97
ms_bind_ipv6 = false
rgw_enable_usage_log = false
rgw_thread_pool_size = 64
END
mkdir "$folder/mon" "$folder/osd" "$folder/rgw"

admin=$folder/client.admin.keyring
ceph-authtool --create-keyring "$admin" --gen-key -n client.admin \
  --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *' >&2
cp "$admin" "$folder/first.keyring"
ceph-authtool "$folder/first.keyring" --gen-key -n mon. --cap mon 'allow *' >&2
monmaptool --create --addv a "[v2:127.0.0.1:$monitor_port]" --fsid "$fsid" "$folder/monmap" >&2
ceph-mon --mkfs -i a --monmap "$folder/monmap" --keyring "$folder/first.keyring" >&2
ceph-mon -f -i a >/dev/null 2>"$folder/monitor.err" &
echo $! >"$folder/monitor.pid"

store=$(uuidgen)
ceph --connect-timeout 30 osd new "$store" >&2
ceph auth get-or-create osd.0 mon 'allow profile osd' osd 'allow *' >"$folder/osd.0.keyring"
ceph-osd -i 0 --mkfs --osd-uuid "$store" >&2
ceph-osd -f -i 0 >/dev/null 2>"$folder/store.err" &
echo $! >"$folder/store.pid"

ceph auth get-or-create client.gateway mon 'allow rw' osd 'allow rwx' >"$folder/client.gateway.keyring"
radosgw-admin user create --uid wharf --display-name wharf \
  --access-key "$access_key_id" --secret "$secret_access_key" >/dev/null
radosgw -f -n client.gateway --rgw-frontends "beast endpoint=127.0.0.1:$gateway_port" >/dev/null 2>"$folder/gateway.err" &
echo $! >"$folder/gateway.pid"

attempt=0
until curl --silent --output /dev/null --max-time 2 "http://127.0.0.1:$gateway_port/"; do
  attempt=$((attempt + 1))
  [ "$attempt" -lt 300 ] || { tail -n 5 "$folder"/*.err >&2; exit 1; }
  sleep 0.1
done
echo ready
while read -r _ <&3; do :; done
