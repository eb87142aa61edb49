#!/bin/sh
# Ships the example package by commands alone: to a host, and from backup storage to the same host.
# Start a server first (npm start); it is found by itself.
set -eu
cd "$(dirname "$0")/.."
wharf() { bin/wharf "$@"; }
folder=${1:-/var/tmp/wharf-example}

file=examples/packages/dist/hello-1.0.0.tar.gz
[ ! -e scripts/build-packages.ts ] || npm run --silent build:packages hello >/dev/null
[ -e $file ] || { echo "$file is missing; it is built in a checkout, by npm run build:packages hello" >&2; exit 1; }

# where it can go, and whether there is room
wharf host list
wharf usage /var/tmp

# a file of this machine goes to a host, is checked on the way and unpacked there
wharf package upload $file --name example --type demo --host this-node --path "$folder/hello.tar.gz"
wharf package show example

# its installer runs there; what it says can be read while it runs, and afterwards
wharf package install example --config "{\"greeting\": \"ahoy\", \"path\": \"$folder/there\"}" --log
cat "$folder/there/greeting"
wharf package log example

# the same without waiting: the job is printed, looked at, waited for
job=$(wharf package uninstall example --async)
wharf job wait "$job"
wharf job show "$job"

# backup storage keeps a package until a host needs it
wharf package upload $file --name kept-example --type demo --backup-storage --path example/hello.tar.gz
wharf package install kept-example --host this-node --config "{\"greeting\": \"hello again\", \"path\": \"$folder/again\"}"
cat "$folder/again/greeting"
wharf package uninstall kept-example

# a wrong call is explained
wharf package install example --config '{"greeting": 5}' || echo "refused, with exit code $?"

# nothing is left behind
wharf package delete example
wharf package delete kept-example
rmdir "$folder"
wharf package list
