import { fenceScript } from './fence.ts'

/** The same on every host, so that a package behaves the same, whatever sshd or the server had. */
export const hostSearchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * Runs a program on a host so that it can be stopped and that its own exit code is known.
 *
 *   sh -c guard MARKER JOB FENCE FOLDER NAME=VALUE… setsid -- PROGRAM ARGUMENT…
 *
 * Standard input carries a line with a number of bytes, and that many bytes: the program's input and the marker. Then it
 * stays open. Its end means stop, whoever brings it about: an abort, a lost connection, the death of the server.
 * The program and all that it started, unless they made themselves a session of their own, then get SIGTERM and, two
 * seconds later, SIGKILL. When it is over both outputs get a last line: the marker, and the exit code.
 * So exit code 255 is not taken for a lost connection, and a daemon that holds on to the outputs does not hold us up.
 *
 * SIGUSR1 means stop too: it comes from the next owner of the job, see `fence.ts`. Not SIGTERM, which must go on ending
 * what this shell has started itself: a subshell that is told in its first moment would lose what its parent catches.
 *
 * The input is read before the program starts, never while it runs: what reads the end of standard input must not
 * swallow a part of the input instead. An input that is not there as a whole is not given to the program at all.
 */
export const guard = `
umask 022
PATH=${hostSearchPath}
export PATH
exec 3<&0 </dev/null
IFS= read -r bytes <&3 || exit 75
input=$(head -c "$bytes" <&3)
case $input in *"$0") ;; *) exit 75 ;; esac
printf '\\n%s\\n' "$0"
printf '\\n%s\\n' "$0" >&2
${fenceScript}
over() { leave; printf '\\n%s %s\\n' "$0" "$1" >&2; printf '\\n%s %s\\n' "$0" "$1"; exit 0; }
child=
overtaken=
stopper=
[ -z "$1" ] || trap 'overtaken=1; [ -z "$child" ] || { end_child >/dev/null 2>&1 & stopper=$!; }' USR1
enter "$1" "$2" || over "fence $? $(printf '%s' "$reason" | tr '\\n' ' ')"
shift 2
cd "$1" 2>/dev/null || over folder
shift
end_child() {
  trap '' TERM
  kill -s TERM "$child"
  kill -s TERM -- "-$child"
  tenths=0
  while [ "$tenths" -lt 20 ] && { kill -s 0 -- "-$child" || kill -s 0 "$child"; }; do
    sleep 0.1
    tenths=$((tenths + 1))
  done
  kill -s KILL "$child"
  kill -s KILL -- "-$child"
}
[ -z "$overtaken" ] || over 'fence 1'
printf '%s' "\${input%"$0"}" 2>/dev/null 3<&- |
  env -i "PATH=$PATH" LANG=C.UTF-8 "HOME=\${HOME:-/}" "$@" 3<&- &
child=$!
[ -z "$run" ] || { began "$child"; printf '%s %s\\n' "$child" "$began" >"$run"; } 2>/dev/null
[ -z "$overtaken" ] || { end_child >/dev/null 2>&1 & stopper=$!; }
{
  while read -r _ <&3; do :; done
  end_child
} >/dev/null 2>&1 &
watch=$!
# a signal ends the waiting, not the child
while wait "$child" 2>/dev/null; code=$?; [ -n "$overtaken" ] && kill -s 0 "$child" 2>/dev/null; do :; done
# TERM, which is not caught here: a subshell that has only just begun would swallow what is
kill -s TERM "$watch" 2>/dev/null
wait "$watch" 2>/dev/null
[ -z "$stopper" ] || wait "$stopper" 2>/dev/null
[ -z "$overtaken" ] || over 'fence 1'
over "$code"`

/** What the guard reads: everything that the program is to get, and the proof that it is whole. */
export const guardInput = (input: string, marker: string): string =>
  `${Buffer.byteLength(input) + marker.length}\n${input}${marker}`
