#!/bin/sh
# Succeeds when the greeting is there, and says what was asked for.
set -eu
. ./input.sh

found=$(cat -- "$folder/greeting")
if [ "$found" != "$greeting" ]; then
  echo "$folder/greeting says something else: $found" >&2
  exit 1
fi
echo "$folder/greeting is in place"
