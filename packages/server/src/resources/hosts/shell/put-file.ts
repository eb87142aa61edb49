import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '@wharf/platform/api-error.ts'
import { releaseBuffer } from '@wharf/platform/release-buffer.ts'
import { streamTail } from '@wharf/ssh/stream-tail.ts'
import type { PutOptions } from '../driver.ts'
import { fenceFailure, fenceScript, fenceWords } from './fence.ts'
import { existsExitCode, fenceExitCode, fileFailure, incompleteInputExitCode } from './file-failure.ts'
import { hostPath } from './host-path.ts'
import { markerLength, newMarker } from './marker.ts'
import { Session } from './session.ts'
import type { Transport } from './transport.ts'

/**
 *   sh -c putScript MARKER JOB FENCE SUBJECT PATH TEMPORARY
 *
 * Standard input carries the bytes of the file and then the marker. Input without the marker is incomplete, because of an
 * abort, a lost connection or a killed server: then nothing is left. The file appears under its name in one step and
 * completely; a link, unlike a move, never replaces a file. SIGUSR1, which the next owner of the job sends, also
 * interrupts it, see `fence.ts`.
 */
const putScript = `
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
set -C
true >"$2" || exit 1
trap 'rm -f "$2"; leave' EXIT
printf '\\n%s\\n' "$0"
cat <&3 >>"$2" &
child=$!
wait "$child" || exit 1
child=
size=$(($(wc -c <"$2") - ${markerLength}))
[ "$size" -ge 0 ] && [ "$(tail -c ${markerLength} "$2" | tr -d '\\000')" = "$0" ] || exit ${incompleteInputExitCode}
dd if=/dev/null of="$2" bs=1 seek="$size" 2>/dev/null || exit 1
sync "$2" || exit 1
link "$2" "$1" || { exists "$1" && exit ${existsExitCode}; exit 1; }
rm -f "$2"
sync "\${1%/*}/" || { rm -f "$1"; exit 1; }`

export async function putFile(transport: Transport, bytes: Readable, path: string, options: PutOptions): Promise<void> {
  // it may fail before it is read; the reader still gets the error
  bytes.on('error', () => {})
  try {
    await put(transport, bytes, hostPath(path), options)
  } finally {
    bytes.destroy()
  }
}

async function put(transport: Transport, bytes: Readable, path: string, options: PutOptions): Promise<void> {
  const { signal } = options
  const temporary = `${path}.${newMarker().slice(0, 12)}.part`
  const session = await Session.open(transport, putScript, [...fenceWords(), path, temporary], { signal })
  const stderr = streamTail(session.stderr)
  const { found } = await session.waitForStart(session.stdout)
  session.stdout.resume()
  const interruption = found ? await send(bytes, session, options) : undefined
  const exitCode = await session.ended
  if (exitCode === 0) return
  if (signal.aborted) throw signal.reason
  if (exitCode === existsExitCode)
    throw new ApiError(
      'SYS.1002',
      `${path} exists already on ${transport.host}; choose another path, or delete what is there`,
    )
  if (exitCode === incompleteInputExitCode && interruption !== undefined) throw interruption
  if (exitCode !== null && exitCode > fenceExitCode && exitCode <= fenceExitCode + 4)
    throw fenceFailure(transport.host, String(exitCode - fenceExitCode), stderr())
  if (exitCode === 1) throw fileFailure(transport.host, 'write', path, stderr())
  throw session.failure(exitCode, stderr())
}

/** The error that interrupted the transfer: of the source, or because the host stopped reading. */
async function send(bytes: Readable, session: Session, { signal, consumes }: PutOptions): Promise<unknown> {
  try {
    if (consumes) await writeAndRelease(bytes, session.stdin, signal)
    else await pipeline(bytes, session.stdin, { signal, end: false })
    session.stdin.end(session.marker)
    return undefined
  } catch (error) {
    session.stdin.destroy()
    return error
  }
}

/** Releases the memory of each piece once it is written. */
async function writeAndRelease(bytes: Readable, to: Writable, signal: AbortSignal): Promise<void> {
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    signal.throwIfAborted()
    await new Promise<void>((resolve, reject) => to.write(piece, (error) => (error ? reject(error) : resolve())))
    releaseBuffer(piece)
  }
}
