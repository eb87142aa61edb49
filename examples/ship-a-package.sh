#!/bin/sh
# Sends the example package with the command line: to a host, and from backup storage to the same host.
# Start a server first (npm start); the command finds it.
set -eu
cd "$(dirname "$0")/.."
wharf() { bin/wharf "$@"; }
# unique names, so that the script can be repeated and no other user can guess them
name=example-$(od -An -N6 -tx1 /dev/urandom | tr -d ' \n')
folder=${1:-/var/tmp/wharf-$name}

file=examples/packages/dist/hello-1.0.0.tar.gz
[ ! -e scripts/build-packages.ts ] || npm run --silent build:packages hello >/dev/null
[ -e $file ] || { echo "$file is missing; build it in a checkout with npm run build:packages hello" >&2; exit 1; }

# if a command fails, remove everything that was created
clean_up() {
  for package in "$name" "kept-$name"; do
    wharf package uninstall "$package" || :
    wharf package delete "$package" || :
  done
  rmdir "$folder"
}
trap 'clean_up >/dev/null 2>&1 || :' EXIT
trap 'exit 1' HUP INT TERM

# list hosts and free space
wharf host list
wharf usage /var/tmp

# upload a local file to a host, which inspects and unpacks it
wharf package upload $file --name "$name" --type demo --host this-node --path "$folder/hello.tar.gz"
wharf package show "$name"

# install it, and show the log during and after the job
wharf package install "$name" --config "{\"greeting\": \"ahoy\", \"path\": \"$folder/demo\"}" --log
cat "$folder/demo/greeting"
wharf package log "$name"

# uninstall without waiting: print the job, wait for it, show it
job=$(wharf package uninstall "$name" --async)
wharf job wait "$job"
wharf job show "$job"

# store a package on backup storage; installing copies it to the packages folder of the host
wharf package upload $file --name "kept-$name" --type demo --backup-storage --path "$name/hello.tar.gz"
wharf package install "kept-$name" --host this-node --config "{\"greeting\": \"hello again\", \"path\": \"$folder/again\"}"
cat "$folder/again/greeting"
wharf package uninstall "kept-$name"

# an invalid call is explained
wharf package install "$name" --config '{"greeting": 5}' || echo "rejected with exit code $?"

# remove everything
wharf package delete "$name"
wharf package delete "kept-$name"
trap - EXIT
rmdir "$folder" || echo "$folder is empty; the user of the server can remove it" >&2
wharf package list
