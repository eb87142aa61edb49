/**
 * Lists what tar has created below $1. First everything becomes readable for its owner and loses its setuid,
 * setgid and sticky bits; but when a file also has a name elsewhere, no rights are changed, and the listing contains it.
 * The listing is base64, since names may contain any byte, of records that end with NUL. Names are relative and start with
 * a dot, so a record that starts with "=" is the heading of a section; the last one marks a complete listing.
 *
 * A find with -printf lists everything in one pass, in one section, in which the first character of a record is its kind:
 * on a host, starting a program costs more than what it does.
 */
export const listScript = `
set -eu
cd -P -- "$1"
if shared=$(find . -type d ! -perm -0700 -exec chmod u+rwx {} ';' , -type f -links +1 -printf '%n %D:%i\\n' 2>/dev/null)
then
  list() {
    set -e
    printf '=entries\\0'
    find . \\
      '(' -type d -printf 'd%p\\0' -o -type f -printf 'f%p\\0' -o -type l -printf 'l%p\\0%l\\0' -o -printf 'o%p\\0' ')' , \\
      ! -type l -perm /7000 -printf 'p%p\\0' , \\
      -type f -links +1 -printf 's%n %D:%i\\0'
    printf '=end\\0'
  }
else
  find . -type d ! -perm -0700 -exec chmod u+rwx {} ';'
  shared() { find . -type f -links +1 -exec stat -c '%h %d:%i' {} +; }
  shared=$(shared)
  list() {
    set -e
    printf '=folders\\0'
    find . -type d -print0
    printf '=files\\0'
    find . -type f -print0
    printf '=links\\0'
    find . -type l -exec sh -c 'for link; do printf "%s\\0" "$link"; readlink -n "$link"; printf "\\0"; done' sh {} +
    printf '=other\\0'
    find . ! -type d ! -type f ! -type l -print0
    printf '=privileged\\0'
    find . ! -type l '(' -perm -4000 -o -perm -2000 -o -perm -1000 ')' -print0
    printf '=shared\\0'
    shared
    printf '\\0=end\\0'
  }
fi
elsewhere=
if [ -n "$shared" ]; then
  elsewhere=$(printf '%s\\n' "$shared" | sort | uniq -c |
    while read -r here names _; do test "$here" = "$names" || echo yes; done)
fi
test -n "$elsewhere" || chmod -R u+rwX,ug-s,-t .
list | base64
`
