#!/bin/sh
# Takes back what install.sh did. When there is nothing to take back, that is fine.
set -eu

if [ ! -f installed-in ]; then
  echo 'nothing is installed'
  exit 0
fi
folder=$(cat installed-in)
rm -f -- "$folder/greeting" "$folder/greeting.new"
if [ -d "$folder" ]; then rmdir -- "$folder" 2>/dev/null || echo "$folder stays: other files are in it"; fi
rm -f installed-in
