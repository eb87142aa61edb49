#!/bin/sh
# Unpacks the Debian packages into a separate folder: nothing is installed system-wide, and nothing is started.
. ./lib/hook.sh
. ./lib/settings.sh
wait_for_others
command -v dpkg-deb >/dev/null || fail 'this package is for hosts with Debian: dpkg-deb is missing'
made_for=$(dpkg-deb --field "$(ls debs/etcd-server_*.deb)" Architecture)
[ "$made_for" = "$(dpkg --print-architecture)" ] || fail "this package was built for $made_for, not for this host"
[ ! -e "$prefix" ] || [ -f "$prefix/fingerprint" ] || fail "$prefix already exists and does not belong to this package"

wanted=$(fingerprint)
if [ "$(cat "$prefix/fingerprint" 2>/dev/null)" != "$wanted" ]; then
  rm -rf "$prefix.new" "$prefix.old"
  mkdir -p "$prefix.new/debian"
  for deb in debs/*.deb; do
    progress 30 "unpacking $(basename "$deb")"
    dpkg-deb --extract "$deb" "$prefix.new/debian"
  done
  cp node/* "$prefix.new/"
  echo "$wanted" >"$prefix.new/fingerprint"
  # programs of the previous folder keep running
  if [ -e "$prefix" ]; then mv "$prefix" "$prefix.old"; fi
  mv "$prefix.new" "$prefix"
  rm -rf "$prefix.old"
fi
progress 90 'writing the settings'
settings_wanted >"$prefix/settings"
echo "the programs are in $prefix"
