#!/bin/sh
# Ships the example package by commands alone: to a host, and from backup storage to the same host.
# Start a server first (npm start); it is found by itself.
set -eu
cd "$(dirname "$0")/.."
wharf() { bin/wharf "$@"; }
# names of this run alone, so that it may run again, and that no other user can guess and take first
name=example-$(od -An -N6 -tx1 /dev/urandom | tr -d ' \n')
folder=${1:-/var/tmp/wharf-$name}

file=examples/packages/dist/hello-1.0.0.tar.gz
[ ! -e scripts/build-packages.ts ] || npm run --silent build:packages hello >/dev/null
[ -e $file ] || { echo "$file is missing; it is built in a checkout, by npm run build:packages hello" >&2; exit 1; }

# if a command fails, remove what the ones before it created
clean_up() {
  for package in "$name" "kept-$name"; do
    wharf package uninstall "$package" || :
    wharf package delete "$package" || :
  done
  rmdir "$folder"
}
trap 'clean_up >/dev/null 2>&1 || :' EXIT
trap 'exit 1' HUP INT TERM

# where it can go, and whether there is room
wharf host list
wharf usage /var/tmp

# a file of this machine goes to a host, is checked on the way and unpacked there
wharf package upload $file --name "$name" --type demo --host this-node --path "$folder/hello.tar.gz"
wharf package show "$name"

# its installer runs there; what it says can be read while it runs, and afterwards
wharf package install "$name" --config "{\"greeting\": \"ahoy\", \"path\": \"$folder/demo\"}" --log
cat "$folder/demo/greeting"
wharf package log "$name"

# the same without waiting: the job is printed, looked at, waited for
job=$(wharf package uninstall "$name" --async)
wharf job wait "$job"
wharf job show "$job"

# backup storage keeps a package until a host needs it; there it is unpacked in the packages folder of the host
wharf package upload $file --name "kept-$name" --type demo --backup-storage --path "$name/hello.tar.gz"
wharf package install "kept-$name" --host this-node --config "{\"greeting\": \"hello again\", \"path\": \"$folder/again\"}"
cat "$folder/again/greeting"
wharf package uninstall "kept-$name"

# a wrong call is explained
wharf package install "$name" --config '{"greeting": 5}' || echo "refused, with exit code $?"

# nothing is left behind
wharf package delete "$name"
wharf package delete "kept-$name"
trap - EXIT
rmdir "$folder" || echo "$folder is empty; the user of the server can remove it" >&2
wharf package list
