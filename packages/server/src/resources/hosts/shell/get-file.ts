import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { onAbort } from '@wharf/platform/abort.ts'
import { streamTail } from '@wharf/ssh/stream-tail.ts'
import { fileFailure } from './file-failure.ts'
import { hostPath } from './host-path.ts'
import { Session } from './session.ts'
import type { Transport } from './transport.ts'

/** Reads only regular files: a FIFO or a device might never end. */
const getScript = `
LC_ALL=C
export LC_ALL
ls -d "$1" >/dev/null || exit 1
[ -f "$1" ] || { echo 'it is not a file' >&2; exit 1; }
printf '\\n%s\\n' "$0"
exec cat "$1"`

/** The stream ends when all bytes of the file were read on the host. */
export function getFile(transport: Transport, path: string, signal: AbortSignal): Readable {
  const bytes = new PassThrough()
  // destroying the stream ends the transfer
  const closed = new AbortController()
  const listening = onAbort(signal, () => void bytes.destroy(signal.reason))
  bytes.once('close', () => {
    listening[Symbol.dispose]()
    closed.abort()
  })
  copy(transport, path, bytes, AbortSignal.any([signal, closed.signal])).then(
    () => bytes.end(),
    (error) => bytes.destroy(error),
  )
  return bytes
}

async function copy(transport: Transport, path: string, bytes: PassThrough, signal: AbortSignal): Promise<void> {
  const session = await Session.open(transport, getScript, [hostPath(path)], { signal, stopMs: 0, carriesFile: true })
  const stderr = streamTail(session.stderr)
  const { found } = await session.waitForStart(session.stdout)
  if (found) await pipeline(session.stdout, bytes, { end: false })
  const exitCode = await session.ended
  if (signal.aborted) throw signal.reason
  if (exitCode === 1) throw fileFailure(transport.host, 'read', path, stderr())
  if (exitCode !== 0) throw session.failure(exitCode, stderr())
}
