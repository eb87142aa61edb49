import { fenceScript } from './fence.ts'

/** The database may be unavailable when a hook ends; an exit code that is not recorded by then is kept for the next owner. */
const maxRecordSeconds = 120

/** Files of jobs on a host, from which on those of more than eight days are removed. */
const tidyFromFiles = 16

/** Input that every shell reads as it is with `read`, which is slow for a long line. */
const shortInput = /^[ -~]{1,1000}$/

/** The same on every host, so that a package does not depend on the settings of sshd or the server. */
export const hostSearchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * Runs a program on a host so that it can be stopped and its own exit code is known.
 *
 *   sh -c guard MARKER JOB FENCE SUBJECT HOOK LIMIT FILES FOLDER NAME=VALUE… setsid -- PROGRAM ARGUMENT…
 *
 * Both outputs get a first line with the marker. Then standard input carries a line with a number of bytes, and that many
 * bytes: the program's input and the marker, or nothing for a program without input. Short input and the marker may instead
 * be in that line, after an equals sign. It is sent only after the first line has arrived, so what a lost connection
 * delivers after the job has ended starts nothing. Then it stays open. Its end means stop: an abort, a lost connection or a
 * killed server. The program and its descendants, except those with a session of their own, then get SIGTERM and, two
 * seconds later, SIGKILL. At the end both outputs get a last line: the marker, and the exit code.
 * So exit code 255 is not confused with a lost connection, and a daemon that keeps the outputs open does not delay the result.
 *
 * SIGUSR1 also means stop: the next owner of the job sends it, see `fence.ts`. SIGTERM is unsuitable, because it must keep
 * ending what this shell has started: a subshell that gets it at its start would lose what its parent traps.
 *
 * A hook has a name in HOOK; for other programs HOOK is empty. For the name + no exit code is kept.
 * - Every few seconds a byte arrives on standard input. Without one for LIMIT seconds the hook is ended: a connection that
 *   loses every packet causes no end of standard input. LIMIT 0 is for a pipe, whose end is never lost.
 * - FILES has a line for each file that the inspection of the package recorded, with its cksum, size and path. A file that
 *   is missing or different is reported, and nothing is run.
 * - A hook that was not stopped leaves its exit code, as the name of a file: SUBJECT-done-JOB-HOOK-FENCE-CODE. The next
 *   owner of the job gets that code instead of a second run. A line on standard input confirms that the code is recorded,
 *   and the file is removed.
 * - Other runs of this owner for the job were lost, and are ended first. Without a program that is all, and a kept exit code
 *   is returned.
 *
 * The input is read before the program starts, never while it runs: the reader that waits for the end of standard input must
 * not consume a part of it. Incomplete input is never passed to the program.
 */
export const guard = `
umask 022
PATH=${hostSearchPath}
export PATH
exec 3<&0 </dev/null
printf '\\n%s\\n' "$0"
printf '\\n%s\\n' "$0" >&2
IFS= read -r bytes <&3 || exit 75
# most programs have little input or none, and a process costs more than they do
case $bytes in
  0) input=$0 ;;
  =*) input=\${bytes#=} ;;
  *) input=$(head -c "$bytes" <&3) ;;
esac
case $input in *"$0") ;; *) exit 75 ;; esac
${fenceScript}
over() {
  leave
  printf '\\n%s %s\\n' "$0" "$1" >&2
  printf '\\n%s %s\\n' "$0" "$1"
  [ -z "$kept" ] || {
    # a few files that jobs have left are not worth a program
    set -- "$place/"*
    [ $# -lt ${tidyFromFiles} ] || find "$place" -type f -mtime +8 -exec rm -f {} +
    # a late heartbeat may consume one byte, so two are sent
    timeout ${maxRecordSeconds} sh -c 'read -r _' <&3 && rm -f "$kept"
  } >/dev/null 2>&1
  exit 0
}
child=
superseded=
stopper=
kept=
[ -z "$1" ] || trap 'superseded=1; [ -z "$child" ] || { end_child >/dev/null 2>&1 & stopper=$!; }' USR1
enter "$1" "$2" "$3" || over "fence $? $(printf '%s' "$reason" | tr '\\n' ' ')"
child=
job=$1 fence=$2 hook=$4 limit=$5 files=$6
record=\${1:+$place/$3-done-$1-$4}
shift 6
cd "$1" 2>/dev/null || [ $# -eq 1 ] || over folder
shift
# a job has one hook at a time: another of the same owner was lost
if [ -n "$record" ] && { [ -n "$hook" ] || [ $# -eq 0 ]; }; then
  for other in "$place/$job-run-$fence-"*; do
    [ "$other" = "$run" ] || [ ! -e "$other" ] || end_other "$other" || over 'fence 2'
  done
  child=
fi
if [ -n "$hook" ] && [ -n "$record" ]; then
  for former in "$record-"*; do
    [ -e "$former" ] || continue
    owner=\${former%-*}
    # the same owner runs a hook again only when it wants another run
    if [ $# -gt 0 ] && [ "\${owner##*-}" -ge "$fence" ]; then rm -f "$former"
    else
      kept=$former
      over "kept \${former##*-}"
    fi
  done
fi
[ $# -gt 0 ] || over settled
if [ -n "$files" ]; then
  while read -r sum size path; do
    # a program without a recorded size must only not be empty
    if [ "$size" = + ]; then
      [ ! -f "$path" ] || [ -s "$path" ] || over "file $path is empty"
      continue
    fi
    [ -f "$path" ] || over "file $path is missing"
    if [ "$sum" = - ]; then sum= found=$(($(wc -c <"$path")))
    else found=$(cksum <"$path"); fi
    [ "$found" = "\${sum:+$sum }$size" ] || over "file $path has \${found##* } bytes; its inspection found $size\${sum:+, or other content}"
  done <<FILES
$files
FILES
fi
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
# a hook that the next owner could not find must not run; the printf of a shell may not report the cause
note_child() { printf '%s\\n' "$1" >"$run" 2>/dev/null || [ -z "$hook" ]; }
unnoted() { over "fence 3 $place: $( { env LC_ALL=C printf . >"$run"; } 2>&1 | tr '\\n' ' ')"; }
[ -z "$run" ] || note_child ' ' || unnoted
[ -z "$superseded" ] || over 'fence 1'
if [ "$bytes" = 0 ]; then
  env -i "PATH=$PATH" LANG=C.UTF-8 "HOME=\${HOME:-/}" "$@" 3<&- &
else
  printf '%s' "\${input%"$0"}" 2>/dev/null 3<&- |
    env -i "PATH=$PATH" LANG=C.UTF-8 "HOME=\${HOME:-/}" "$@" 3<&- &
fi
child=$!
[ -z "$run" ] || { began "$child"; note_child "$child $began" || { end_child >/dev/null 2>&1; unnoted; }; }
[ -z "$superseded" ] || { end_child >/dev/null 2>&1 & stopper=$!; }
{
  silent=
  if [ "$limit" -gt 0 ]; then
    while beat=$(timeout "$limit" head -c 1 <&3); silent=$?; [ -n "$beat" ]; do :; done
  fi
  # no heartbeat: 124, or 143 by an older busybox; without a timeout program only the end of standard input counts
  case $silent in 0 | 124 | 143) ;; *) while read -r _ <&3; do :; done ;; esac
  end_child
  case $silent in 124 | 143) exit 4 ;; *) exit 3 ;; esac
} >/dev/null 2>&1 &
watch=$!
# a signal interrupts wait, not the child
while wait "$child" 2>/dev/null; code=$?; [ -n "$superseded" ] && kill -s 0 "$child" 2>/dev/null; do :; done
# a hook that cannot print because its connection is lost has not failed: the end of input follows
[ -z "$hook" ] || [ "$code" -eq 0 ] || sleep 0.1
# TERM, which has no trap here: a subshell that has just started would lose a trapped signal
kill -s TERM "$watch" 2>/dev/null
wait "$watch" 2>/dev/null
ended=$?
[ -z "$stopper" ] || wait "$stopper" 2>/dev/null
[ -z "$superseded" ] || over 'fence 1'
[ "$ended" -ne 4 ] || over silent
if [ -n "\${hook#+}" ] && [ -n "$record" ] && [ "$ended" -ne 3 ]; then
  kept=$record-$fence-$code
  { : >"$kept"; } 2>/dev/null || kept=
fi
over "$code"`

/** What the guard reads: the input of the program, and the marker that shows that it is complete. */
export function guardInput(input: string, marker: string): string {
  if (input === '') return '0\n'
  if (shortInput.test(input)) return `=${input}${marker}\n`
  return `${Buffer.byteLength(input) + marker.length}\n${input}${marker}`
}
