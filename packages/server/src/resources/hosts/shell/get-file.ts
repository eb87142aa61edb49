import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { onAbort } from '@wharf/platform/abort.ts'
import { streamTail } from '@wharf/ssh/stream-tail.ts'
import { fileFailure } from './file-failure.ts'
import { hostPath } from './host-path.ts'
import { Session } from './session.ts'
import type { Transport } from './transport.ts'

/** Only what is a file is read: a FIFO or a device might never end. */
const getScript = `
LC_ALL=C
export LC_ALL
ls -d "$1" >/dev/null || exit 1
[ -f "$1" ] || { echo 'it is not a file' >&2; exit 1; }
printf '\\n%s\\n' "$0"
exec cat "$1"`

/** The bytes of a file on a host. The stream ends when all of them were read there. */
export function getFile(transport: Transport, path: string, signal: AbortSignal): Readable {
  const bytes = new PassThrough()
  // whoever needs no more of it just destroys the stream
  const unwanted = new AbortController()
  const listening = onAbort(signal, () => void bytes.destroy(signal.reason))
  bytes.once('close', () => {
    listening[Symbol.dispose]()
    unwanted.abort()
  })
  copy(transport, path, bytes, AbortSignal.any([signal, unwanted.signal])).then(
    () => bytes.end(),
    (error) => bytes.destroy(error),
  )
  return bytes
}

async function copy(transport: Transport, path: string, bytes: PassThrough, signal: AbortSignal): Promise<void> {
  const session = await Session.open(transport, getScript, [hostPath(path)], { signal, stopMs: 0 })
  const said = streamTail(session.stderr)
  const { found } = await session.begins(session.stdout)
  if (found) await pipeline(session.stdout, bytes, { end: false })
  const exitCode = await session.ended
  if (signal.aborted) throw signal.reason
  if (exitCode === 1) throw fileFailure(transport.host, 'read', path, said())
  if (exitCode !== 0) throw session.failure(exitCode, said())
}
