#!/bin/sh
# An sshd as an ordinary user: loopback-host.sh SSHD CONFIG FOLDER. Prints `host PID`. When standard input ends, however the
# process at its other end did, removes the sshd, everything it started, and the folder.
exec 3<&0 </dev/null
"$1" -D -e -f "$2" 3<&- >&2 &
sshd=$!
echo "host $sshd"

end_with_children() {
  for child in $(ps -o pid= --ppid "$1"); do end_with_children "$child"; done
  kill -s KILL "$1"
}
while read -r _ <&3; do :; done
end_with_children "$sshd" 2>/dev/null
rm -rf "$3"
