import type { IncomingMessage } from 'node:http'
import { invalid } from '@wharf/platform/api-error.ts'

/** A proxy and the server could each use another one of two values. Lists, such as Accept, may repeat. */
const once = new Set([
  'authorization',
  'content-length',
  'content-type',
  'date',
  'expect',
  'host',
  'idempotency-key',
  'if-range',
  'last-event-id',
  'origin',
  'range',
  'tus-resumable',
  'upload-checksum',
  'upload-defer-length',
  'upload-length',
  'upload-metadata',
  'upload-offset',
  'x-api-timeout',
  'x-date',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-http-method-override',
  'x-job-uuid',
  'x-json-schema',
  'x-web-hook',
  'x-wharf-hop',
])

/** Refuses a second Host (RFC 9112, 3.2), and another value of a header that has one. */
export function refuseRepeatedHeaders({ headers, rawHeaders }: IncomingMessage): void {
  // Node has one entry per name, so the numbers differ only where a name repeats
  if (2 * Object.keys(headers).length === rawHeaders.length) return
  const seen = new Map<string, string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase()
    if (!once.has(name)) continue
    const value = rawHeaders[at + 1] ?? ''
    const before = seen.get(name)
    if (before !== undefined && (name === 'host' || before !== value))
      throw invalid(`the header ${rawHeaders[at]} was sent more than once; send it once`)
    seen.set(name, value)
  }
}
