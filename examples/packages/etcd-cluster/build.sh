#!/bin/sh
# build.sh FOLDER: copies the Debian packages of this machine's apt sources to FOLDER/debs. They are cached in the
# cache folder of the user, so a second build needs no network.
set -eu
debs=$1/debs
cache=${XDG_CACHE_HOME:-$HOME/.cache}/wharf/debs
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' wharf.json)

# A minimal Debian 12 has all their dependencies.
packages='etcd-server etcd-client prometheus-alertmanager'

fail() {
  echo "etcd-cluster cannot be built: $*" >&2
  exit 1
}
command -v apt-get >/dev/null || fail 'apt-get of Debian 12 is missing'

# lines of 'address' file size SHA256:sum, without network access
known() { apt-get download --print-uris $packages 2>/dev/null; }
list=$(known) || list=$(apt-get update >&2 && known) || fail "apt has no source for $packages"
case $list in
  *" etcd-server_$version-"*) ;;
  *) fail "it requires etcd $version of Debian 12; apt offers another version" ;;
esac

mkdir -p "$debs" "$cache"
fresh=$(mktemp -d "$cache/fetching.XXXXXX")
trap 'rm -rf "$fresh"' EXIT
echo "$list" | while read -r _ file _ sum; do
  is_whole() { echo "${sum#SHA256:}  $1" | sha256sum --check --status 2>/dev/null; }
  if ! is_whole "$cache/$file"; then
    (cd "$fresh" && apt-get -qq download -o APT::Sandbox::User=root "${file%%_*}" >&2) || fail "downloading $file failed"
    is_whole "$fresh/$file" || fail "$file is damaged"
    mv "$fresh/$file" "$cache/$file"
  fi
  cp "$cache/$file" "$debs/"
done
