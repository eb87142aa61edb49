/**
 * Lists what tar has created below $1. First everything becomes readable for its owner and loses its setuid,
 * setgid and sticky bits; but when a file also has a name elsewhere, no rights are changed, and the listing contains it.
 * The listing is base64, since names may contain any byte, of records that end with NUL. Names are relative and start with
 * a dot, so a record that starts with "=" is the heading of a section; the last one marks a complete listing.
 */
const script = `
set -eu
cd -P -- "$1"
find . -type d ! -perm -0700 -exec chmod u+rwx {} ';'
shared() { find . -type f -links +1 -exec stat -c '%h %d:%i' {} +; }
elsewhere=$(shared | sort | uniq -c | while read -r here names _; do test "$here" = "$names" || echo yes; done)
test -n "$elsewhere" || chmod -R u+rwX,ug-s,-t .
list() {
  set -e
  printf '=folders\\0'
  find . -type d -print0
  printf '=files\\0'
  find . -type f -print0
  printf '=links\\0'
  if find . -prune -printf '' 2>/dev/null; then
    find . -type l -printf '%p\\0%l\\0'
  else
    find . -type l -exec sh -c 'for link; do printf "%s\\0" "$link"; readlink -n "$link"; printf "\\0"; done' sh {} +
  fi
  printf '=other\\0'
  find . ! -type d ! -type f ! -type l -print0
  printf '=privileged\\0'
  find . ! -type l '(' -perm -4000 -o -perm -2000 -o -perm -1000 ')' -print0
  printf '=shared\\0'
  shared
  printf '\\0=end\\0'
}
list | base64
`

/** `ListingReader` reads the output. */
export const unpackCheckArgv = (folder: string): readonly [string, ...string[]] => [
  'sh',
  '-c',
  script,
  'wharf-unpack-check',
  folder,
]
