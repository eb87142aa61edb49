#!/bin/sh
# Writes a greeting. It may be stopped anywhere and run again, with the same configuration or another.
set -eu
. ./input.sh

# from another installation, into another folder
if [ -f installed-in ] && [ "$(cat installed-in)" != "$folder" ]; then ./uninstall.sh; fi

echo "::progress 20 making $folder"
# uninstall.sh is not told the configuration, so it is remembered here, before there is anything to remove
printf '%s\n' "$folder" > installed-in
mkdir -p -- "$folder"

echo '::progress 60 writing the greeting'
printf '%s\n' "$greeting" > "$folder/greeting.new"
mv -f -- "$folder/greeting.new" "$folder/greeting"

echo "::result {\"file\": \"$folder/greeting\"}"
