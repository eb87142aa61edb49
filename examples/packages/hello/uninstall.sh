#!/bin/sh
# Reverses install.sh. Succeeds when nothing is installed.
set -eu

if [ ! -f installed-in ]; then
  echo 'nothing is installed'
  exit 0
fi
folder=$(cat installed-in)
rm -f -- "$folder/greeting" "$folder/greeting.new"
if [ -d "$folder" ]; then rmdir -- "$folder" 2>/dev/null || echo "$folder is kept: it contains other files"; fi
rm -f installed-in
