#!/bin/sh
# Succeeds when the greeting exists with the configured text.
set -eu
. ./input.sh

found=$(cat -- "$folder/greeting")
if [ "$found" != "$greeting" ]; then
  echo "$folder/greeting has another text: $found" >&2
  exit 1
fi
echo "$folder/greeting is in place"
