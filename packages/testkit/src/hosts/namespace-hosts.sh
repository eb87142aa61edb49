#!/bin/sh
# Hosts of our own, as root: each has its network, root folder, host name, process table and sshd.
#
#   namespace-hosts.sh hosts FOLDER COUNT SHELL    FOLDER holds authorized_keys and sshd_config
#
# Prints `network PREFIX BRIDGE`, a line `host NUMBER PID` for each, and `ready`. When standard input ends, however the
# process at its other end did, everything goes. Runs in a mount namespace of its own, so mounts go by themselves.
set -eu

# One host, from inside: the root folder is ready, only what belongs to its namespaces is missing.
if [ "$1" = host ]; then
  number=$2 home=$3
  # this /proc is still the one outside, so this is the number that others know us by
  read -r pid _ </proc/self/stat
  hostname "wharf-host-$number"
  mount --rbind /dev "$home/root/dev"
  mount -t proc proc "$home/root/proc"
  mount -t tmpfs tmpfs "$home/root/tmp"
  mount -t tmpfs tmpfs "$home/root/run"
  mkdir "$home/root/run/sshd"
  chmod 1777 "$home/root/tmp"
  echo "$pid" >"$home/pid"
  echo "host $number $pid"
  exec chroot "$home/root" /usr/sbin/sshd -D -e -f /etc/ssh/wharf_sshd_config </dev/null >"$home/log" 2>&1
fi

folder=$2 count=$3 shell=$4
bridge=''

take_down() {
  set +e
  # the first process of a host takes all others with it
  for pid in "$folder"/hosts/*/pid; do kill -s KILL "$(cat "$pid")"; done
  wait
  [ -z "$bridge" ] || ip link delete "$bridge"
  # what still hangs on to a mount must not keep the folder from going
  umount --lazy --recursive "$folder/hosts"
  rm -rf "$folder"
} >/dev/null 2>&1
trap take_down EXIT
trap 'exit 1' HUP INT TERM

# The name of the bridge names its network, so creating it claims the network; others try the next. 198.18.0.0/15
# is for tests: nobody forwards what is still sent to a host that is gone. Where it is in use, a private network must do.
claim_network() {
  attempt=0
  while [ "$attempt" -lt 200 ]; do
    place=$((($$ * 7 + attempt * 131) % 512))
    third=$((place % 256))
    if [ "$attempt" -lt 100 ]; then first=198 second=$((18 + place / 256)); else first=10 second=$((64 + place / 256)); fi
    prefix=$first.$second.$third
    attempt=$((attempt + 1))
    [ -z "$(ip route show root "$prefix.0/24")" ] || continue
    [ -z "$(ip route show match "$prefix.0/24" | grep -v '^default')" ] || continue
    if ip link add "wh-$second-$third" type bridge 2>/dev/null; then
      bridge=wh-$second-$third
      return
    fi
  done
  echo 'no network is free for the test hosts' >&2
  return 1
}

# Everything that this machine has installed is there, whatever the host writes is its own.
make_root() {
  mkdir -p "$home/upper" "$home/work" "$home/root"
  mount -t overlay overlay -o "lowerdir=/,upperdir=$home/upper,workdir=$home/work" "$home/root"
  root=$home/root
  rm -f "$root/root/.bashrc" "$root/root/.profile" "$root/root/.bash_profile" "$root/etc/nologin"
  rm -rf "$root/root/.ssh"
  sed -i "s|^\(root:.*:\)[^:]*\$|\1$shell|" "$root/etc/passwd"
  sed -i 's/^root:[^:]*:/root:*:/' "$root/etc/shadow"
  echo "wharf-host-$number" >"$root/etc/hostname"
  cp "$folder/hosts/names" "$root/etc/hosts"
  cp "$folder/authorized_keys" "$root/etc/ssh/wharf_authorized_keys"
  cp "$folder/sshd_config" "$root/etc/ssh/wharf_sshd_config"
  ssh-keygen -q -t ed25519 -N '' -C "wharf-host-$number" -f "$root/etc/ssh/wharf_host_key"
  # sysfs is not mounted here, so these files describe the board
  board=$root/sys/class/dmi/id
  mkdir -p "$board"
  echo Wharf >"$board/sys_vendor"
  echo 'Test host' >"$board/product_name"
  echo "SN-$second-$third-$number" >"$board/product_serial"
}

mkdir "$folder/hosts"
mount -t tmpfs hosts "$folder/hosts"
mkdir -p /run/netns
mount -t tmpfs names /run/netns
claim_network
ip address add "$prefix.1/24" dev "$bridge"
ip link set "$bridge" up
echo "network $prefix $bridge"

echo '127.0.0.1 localhost' >"$folder/hosts/names"
number=0
while [ "$number" -lt "$count" ]; do
  number=$((number + 1))
  echo "$prefix.$((10 + number)) wharf-host-$number" >>"$folder/hosts/names"
done

number=0
while [ "$number" -lt "$count" ]; do
  number=$((number + 1))
  home=$folder/hosts/$number space=wh$number
  make_root
  ip netns add "$space"
  ip link add "$bridge-$number" type veth peer name eth0 netns "$space"
  ip link set "$bridge-$number" master "$bridge" up
  ip -n "$space" address add "$prefix.$((10 + number))/24" dev eth0
  ip -n "$space" link set eth0 up
  ip -n "$space" link set lo up
  ip netns exec "$space" unshare --uts --mount --propagation private --pid --fork --kill-child \
    sh "$0" host "$number" "$home" </dev/null &
done
echo ready
while read -r _; do :; done
