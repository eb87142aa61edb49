import { ApiError } from '@wharf/platform/api-error.ts'
import { currentOwnership } from '../../../jobs/ownership.ts'
import { fileFailure } from './file-failure.ts'

/**
 * A job has one owner at a time, and the host enforces it: the program of a paused owner continues on the host, and what
 * that owner sends when it resumes arrives there.
 *
 *   enter JOB FENCE SUBJECT    before anything is done for a job; `leave` after it
 *
 * Each run creates a file, JOB-run-FENCE-PID-START, and each owner but the first creates JOB-owner-FENCE. An owner with a
 * lower number than an earlier one is refused. An owner with a higher number first ends the runs of those before it. Of two
 * that enter concurrently at least one sees the other, because each creates its file before it checks. START is the start
 * time of the process, which distinguishes it from a later process with the same number.
 *
 * SUBJECT-of-JOB-run-FENCE-PID-START names the subject of a run. A subject has one job at a time, so a run of the same
 * subject for another job belongs to a job that has ended: it is ended before anything else happens.
 *
 * FENCE 0 is for a run without a job, such as a periodic verification: jobs of the subject end it, and it ends none of theirs.
 *
 * enter returns 0, or 1: refused, 2: a run of an earlier owner does not end, 3: no file can be created (a full disk, for
 * example), 4: a run of an earlier job of the subject does not end, 5: a job of the subject runs. The reason is in $reason.
 */
export const fenceScript = `
run=
of_subject=
reason=
leave() { [ -z "$run" ] || rm -f "$run" \${of_subject:+"$of_subject"}; }
began() {
  began=
  [ -r "/proc/$1/stat" ] || return 0
  IFS= read -r began <"/proc/$1/stat" 2>/dev/null || return 0
  set -- \${began##*) }
  # a zombie has ended
  case $1 in Z | X) began= ;; *) began=\${20} ;; esac
}
mine() {
  [ -d "$1" ] || reason=$(mkdir -m 700 "$1" 2>&1)
  [ -d "$1" ] && [ ! -L "$1" ] && [ -O "$1" ]
}
note_owner() {
  [ "$3" -gt 1 ] && [ ! -e "$1/$2-owner-$3" ] || return 0
  find "$1" -type f -mtime +8 -exec rm -f {} + 2>/dev/null
  reason=$( { : >"$1/$2-owner-$3"; } 2>&1)
}
end_others() {
  for owner in "$1/$2-owner-"*; do
    number=\${owner##*-}
    case $number in *[!0-9]*) continue ;; esac
    [ "$number" -le "$3" ] || return 1
  done
  for other in "$1/$2-run-"*; do
    number=\${other##*-run-}
    number=\${number%%-*}
    case $number in *[!0-9]*) continue ;; esac
    [ "$number" -ge "$3" ] || end_other "$other" || return 2
  done
}
end_earlier_jobs() {
  for other in "$1/$3-of-"*; do
    other=\${other##*-of-}
    case $other in "$2"-run-* | '*') continue ;; esac
    [ ! -e "$1/$other" ] || end_other "$1/$other" || return 4
    rm -f "$1/$3-of-$other"
  done
  for other in "$1/$3-done-"*; do
    case \${other##*-done-} in "$2"-* | '*') ;; *) rm -f "$other" ;; esac
  done
}
yield_to_jobs() {
  for other in "$1/$3-of-"*; do
    other=\${other##*-of-}
    case $other in "$2"-run-* | '*') continue ;; esac
    start=\${other##*-}
    process=\${other%-*}
    began "\${process##*-}"
    [ ! -e "$1/$other" ] || { [ -n "$start" ] && [ "$began" != "$start" ]; } || return 5
  done
}
enter() {
  [ -n "$1" ] || return 0
  former=
  if [ -O /run ]; then place=/run/wharf-jobs
  else
    former=/tmp/wharf-jobs-$(id -u)
    # other users can create a name in /tmp first, so it is only for a user without a home
    if [ -d "\${HOME:-}" ] && [ -O "$HOME" ]; then place=$HOME/.wharf-jobs-$(uname -n); else place=$former; fi
  fi
  mine "$place" || {
    reason="$place is a link or belongs to another user: remove it, or give $(id -un) a home folder of its own; $reason"
    return 3
  }
  began $$
  run=$place/$1-run-$2-$$-$began
  note_owner "$place" "$1" "$2" || return 3
  [ -z "$3" ] || of_subject=$place/$3-of-$1-run-$2-$$-$began
  # a subshell that catches the reason only after a failure
  { true >"\${of_subject:-$run}" && true >"$run"; } 2>/dev/null ||
    reason=$( { : >"\${of_subject:-$run}" && : >"$run"; } 2>&1) || return 3
  end_others "$place" "$1" "$2" || return
  if [ "$2" -eq 0 ]; then
    yield_to_jobs "$place" "$1" "$3"
    return
  fi
  [ -z "$3" ] || end_earlier_jobs "$place" "$1" "$3" || return
  # a server of version 1.0 keeps its files in /tmp, and checks them there
  if [ "$2" -gt 1 ] && [ -n "$former" ] && [ "$former" != "$place" ] && mine "$former"; then
    note_owner "$former" "$1" "$2" && end_others "$former" "$1" "$2"
  fi
}
end_other() {
  start=\${1##*-}
  process=\${1%-*}
  process=\${process##*-}
  began "$process"
  # without a start time a process that exists may still be this run
  [ -n "$start" ] || ! kill -s 0 "$process" 2>/dev/null || return 1
  if [ -n "$start" ] && [ "$began" = "$start" ]; then
    kill -s USR1 "$process"
    tenths=0
    while [ -e "$1" ] && [ "$tenths" -lt 50 ]; do
      sleep 0.1
      tenths=$((tenths + 1))
    done
    [ -e "$1" ] || return 0
    kill -s KILL "$process"
  fi 2>/dev/null
  child= start=
  read -r child start <"$1" 2>/dev/null
  [ -z "$child" ] || began "$child"
  if [ -n "$start" ] && [ "$began" = "$start" ]; then
    kill -s KILL -- "-$child"
    sleep 0.2
    began "$child"
    [ "$began" != "$start" ] || return 1
  fi 2>/dev/null
  rm -f "$1"
}`

/** The first three arguments of a script that enters; empty outside of a job. */
export function fenceWords(subject?: string): [job: string, fence: string, subject: string] {
  const ownership = currentOwnership()
  ownership?.requireOwned()
  if (ownership === undefined) return ['', '', '']
  return [ownership.jobUuid, String(ownership.fence), subject ?? ownership.subjectUuid ?? '']
}

/** The failure for a result of `enter`. */
export function fenceFailure(host: string, code: string, reason: string): Error {
  if (code === '1') return currentOwnership()?.loseOwnership() ?? new Error('another process owns the job')
  if (code === '2') return new ApiError('SYS.1016', `a program of an earlier owner of this job on ${host} does not end`)
  if (code === '4')
    return new ApiError(
      'SYS.1016',
      `a program of an earlier job on the same resource is still running on ${host} and does not end; end it there, then repeat the call`,
    )
  if (code === '5')
    return new ApiError(
      'SYS.1006',
      `a job on the same resource runs a program on ${host}; repeat the call when it has ended`,
    )
  const folder = /\/\S*wharf-jobs[^\s/:]*/.exec(reason)?.[0] ?? 'its runtime folder'
  const failure = fileFailure(host, 'note the owner of a job in', folder, reason)
  if (failure.code !== 'SoftwarePackage.1121') return failure
  const remedy = 'nothing was run; free space there, then repeat the call'
  return new ApiError(failure.code, `${host} has no space left for ${folder} (its notes of running jobs): ${remedy}`)
}
