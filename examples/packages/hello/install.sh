#!/bin/sh
# Writes a greeting. It can be stopped anywhere and run again, with the same configuration or another.
set -eu
. ./input.sh

# left by an installation in another folder
if [ -f installed-in ] && [ "$(cat installed-in)" != "$folder" ]; then ./uninstall.sh; fi

echo "::progress 20 creating $folder"
# uninstall.sh does not get the configuration, so the folder is stored before it is created
printf '%s\n' "$folder" > installed-in
mkdir -p -- "$folder"

echo '::progress 60 writing the greeting'
printf '%s\n' "$greeting" > "$folder/greeting.new"
mv -f -- "$folder/greeting.new" "$folder/greeting"

echo "::result {\"file\": \"$folder/greeting\"}"
