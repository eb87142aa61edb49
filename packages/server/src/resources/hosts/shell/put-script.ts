import { fenceScript } from './fence.ts'
import { existsExitCode, fenceExitCode, incompleteInputExitCode } from './file-failure.ts'
import { markerLength } from './marker.ts'

/**
 *   sh -c putScript MARKER JOB FENCE SUBJECT PATH TEMPORARY LINK SIZE
 *
 * Both outputs get a first line with the marker. Then standard input carries the bytes of the file and then the marker.
 * Input without the marker is incomplete, because of an abort, a lost connection or a killed server: then nothing is left.
 * The file appears under its name in one step and completely, and then under LINK, unless that is empty; a link, unlike a
 * move, never replaces a file. SIGUSR1, which the next owner of the job sends, also interrupts it, see `fence.ts`.
 *
 * With SIZE, the input has that many bytes and a line with the marker, and stays open: the last line of standard output,
 * the marker and 0, reports success. Otherwise SIZE is empty, and the input ends with the marker.
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
exists() { [ -e "$1" ] || [ -L "$1" ]; }
exists "$1" && exit ${existsExitCode}
[ -z "$3" ] || ! exists "$3" || exit ${existsExitCode}
set -C
true >"$2" || exit 1
trap 'rm -f "$2" \${run:+"$run"} \${of_subject:+"$of_subject"}' EXIT
printf '\\n%s\\n' "$0"
printf '\\n%s\\n' "$0" >&2
if [ -n "$4" ]; then head -c "$4" <&3 >>"$2" &
else cat <&3 >>"$2" &
fi
child=$!
wait "$child" || exit 1
child=
if [ -n "$4" ]; then
  IFS= read -r end <&3 && [ "$end" = "$0" ] || exit ${incompleteInputExitCode}
else
  size=$(($(wc -c <"$2") - ${markerLength}))
  [ "$size" -ge 0 ] && [ "$(tail -c ${markerLength} "$2" | tr -d '\\000')" = "$0" ] || exit ${incompleteInputExitCode}
  dd if=/dev/null of="$2" bs=1 seek="$size" 2>/dev/null || exit 1
fi
sync "$2" || exit 1
link "$2" "$1" || { exists "$1" && exit ${existsExitCode}; exit 1; }
[ -z "$3" ] || link "$2" "$3" || { rm -f "$1"; exists "$3" && exit ${existsExitCode}; exit 1; }
sync "\${1%/*}/" || { rm -f "$1" \${3:+"$3"}; exit 1; }
rm -f "$2" \${run:+"$run"} \${of_subject:+"$of_subject"}
trap - EXIT
[ -z "$4" ] || printf '\\n%s 0\\n' "$0"`
