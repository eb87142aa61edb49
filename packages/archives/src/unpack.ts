import type { ArchiveFormat } from './archive-format.ts'
import { listScript } from './unpack-check.ts'

/** A zip is sent to the host as a tar. */
export type UnpackedFormat = Extract<ArchiveFormat, 'tar' | 'tar.gz' | 'tar.zst'>

/**
 * Unpacks with the host's own tar into a folder that must not exist yet.
 * $1 archive, $2 folder, $3 format. GNU tar gets every option that keeps it inside; others (busybox, BSD) refuse such
 * options before they do anything, and remove paths that lead outside. The inspection has rejected all of them before.
 */
const unpackScript = `
set -eu
unset TAR_OPTIONS GZIP POSIXLY_CORRECT || :
umask 022
mkdir -- "$2"
case $3 in
  tar.gz) filter=--gzip ;;
  tar.zst) filter=--use-compress-program=zstd ;;
  *) filter= ;;
esac
code=0
errors=$(tar --extract --force-local --restrict $filter --file="$1" --directory="$2" --no-same-owner --no-same-permissions \\
  --no-overwrite-dir --no-acls --no-selinux --no-xattrs --warning=no-timestamp 2>&1) || code=$?
is_gnu() { case $(tar --version 2>/dev/null || :) in *'GNU tar'*) ;; *) return 1 ;; esac; }
# another tar reports the options that it does not have, which would hide why the next one fails
if [ "$code" = 0 ] || is_gnu; then
  [ -z "$errors" ] || printf '%s\\n' "$errors" >&2
  exit "$code"
fi
case $3 in
  tar.gz) exec tar -x -z -o -f "$1" -C "$2" ;;
  tar.zst) command -v zstd >/dev/null || { echo 'zstd is not installed' >&2; exit 127; }
    zstd -q -d -c -- "$1" | tar -x -o -f - -C "$2" ;;
  *) exec tar -x -o -f "$1" -C "$2" ;;
esac
`

/**
 * Unpacks, and then lists what tar has created, for `ListingReader`: one program, because on a host that is far away each costs
 * more than what it does. `before` is a script that runs first; its $1 is the folder.
 */
export const unpackArgv = (
  format: UnpackedFormat,
  archive: string,
  folder: string,
  before = ':',
): readonly [string, ...string[]] => [
  'sh',
  '-c',
  `set -e\n(set -- "$2"\n${before}\n)\n(${unpackScript}) >&2\nset -- "$2"\n${listScript}`,
  'wharf-unpack',
  archive,
  folder,
  format,
]
