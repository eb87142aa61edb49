#!/bin/sh
# Takes over from an earlier version without a moment in which the greeting is missing. It can be stopped anywhere and run again.
set -eu
. ./input.sh

former=$(from_field packageDir)/installed-in
if [ -f "$former" ] && [ "$(cat "$former")" = "$folder" ]; then
  # install.sh writes the same file; without this note, the uninstall.sh of the earlier version no longer removes it
  echo '::progress 10 taking over from the earlier version'
  printf '%s\n' "$folder" > installed-in
  rm -f -- "$former"
fi
printf '%s\n' "$input" | ./install.sh
# in another folder
if [ -f "$former" ]; then (cd "${former%/*}" && ./uninstall.sh); fi
