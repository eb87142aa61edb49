import { fenceScript } from './fence.ts'
import { existsExitCode, fenceExitCode, incompleteInputExitCode } from './file-failure.ts'
import { markerLength } from './marker.ts'

/**
 *   sh -c putScript MARKER JOB FENCE SUBJECT PATH LINK FOLDERS SIZE
 *
 * Both outputs get a first line with the marker. Then standard input carries the bytes of the file and then the marker.
 * Input without the marker is incomplete, because of an abort, a lost connection or a killed server: then nothing is left
 * but folders that it has created, which the caller removes.
 * The file appears under its name in one step and completely, and then under LINK, unless that is empty; a link, unlike a
 * move, never replaces a file. SIGUSR1, which the next owner of the job sends, also interrupts it, see `fence.ts`.
 *
 * Unless FOLDERS is empty, missing folders are created; like the file they survive a power loss.
 *
 * With SIZE, which takes fewer programs, the marker is a line that is sent after standard output has a line with the marker
 * and `received`. Otherwise SIZE is empty.
 */
export const putScript = `
umask 022
LC_ALL=C
export LC_ALL
exec 3<&0 </dev/null
${fenceScript}
child=
trap leave EXIT
trap '[ -z "$child" ] || { kill "$child"; wait "$child"; }; exit 1' HUP INT TERM PIPE USR1
enter "$1" "$2" "$3" || { code=$?; printf '%s\\n' "$reason" >&2; exit $((code + ${fenceExitCode})); }
shift 3
sync_with_parents() {
  folder=$1
  set --
  while [ -n "$folder" ]; do
    set -- "$@" "$folder/"
    folder=\${folder%/*}
  done
  sync "$@"
}
exists() { [ -e "$1" ] || [ -L "$1" ]; }
if [ -n "$3" ]; then
  mkdir -p -- "\${1%/*}/" & child=$!
  wait "$child" || exit 1
  child=
fi
exists "$1" && exit ${existsExitCode}
[ -z "$2" ] || ! exists "$2" || exit ${existsExitCode}
part=$1.\${0%"\${0#????????????}"}.part
set -C
true >"$part" || exit 1
trap 'rm -f "$part" \${run:+"$run"} \${of_subject:+"$of_subject"}' EXIT
printf '\\n%s\\n' "$0"
printf '\\n%s\\n' "$0" >&2
if [ -n "$4" ]; then head -c "$4" <&3 >>"$part" &
else cat <&3 >>"$part" &
fi
child=$!
wait "$child" || exit 1
child=
if [ -n "$4" ]; then
  # on request, because a head may read more than it needs
  printf '\\n%s received\\n' "$0"
  IFS= read -r end <&3 && [ "$end" = "$0" ] || exit ${incompleteInputExitCode}
else
  size=$(($(wc -c <"$part") - ${markerLength}))
  [ "$size" -ge 0 ] && [ "$(tail -c ${markerLength} "$part" | tr -d '\\000')" = "$0" ] || exit ${incompleteInputExitCode}
  dd if=/dev/null of="$part" bs=1 seek="$size" 2>/dev/null || exit 1
fi
sync "$part" || exit 1
link "$part" "$1" || { exists "$1" && exit ${existsExitCode}; exit 1; }
[ -z "$2" ] || link "$part" "$2" || { rm -f "$1"; exists "$2" && exit ${existsExitCode}; exit 1; }
# the folders above may be unreadable
{ [ -n "$3" ] && sync_with_parents "\${1%/*}" 2>/dev/null; } || sync "\${1%/*}/" || { rm -f "$1" \${2:+"$2"}; exit 1; }`
