import { type AuditExportFormat, exportAuditEntries } from '@wharf/contract'
import { ConnectionError } from './error.ts'
import type { Groups } from './generated-types.ts'
import { foreignAnswerError } from './http/answer.ts'
import { operationRequest } from './http/operation-request.ts'
import { failureReason, type Transport } from './http/transport.ts'

export interface AuditExportOptions {
  /** The start of the period; the oldest entry when absent. */
  from?: string | undefined
  /** The end of the period, which does not belong to it; now when absent. */
  to?: string | undefined
  /** Default: ndjson. */
  format?: AuditExportFormat | undefined
  signal?: AbortSignal | undefined
}

/** The bytes of an export as they arrive. Throws when the connection breaks, so that a part is not taken for the whole. */
export async function* streamAuditExport(
  transport: Transport,
  { signal, ...fields }: AuditExportOptions,
): AsyncGenerator<Uint8Array> {
  const response = await transport.open({ ...operationRequest(exportAuditEntries, fields), signal })
  const reader = response.body?.getReader()
  try {
    // a proxy may return a login page with status 200
    if (/html/.test(response.headers.get('content-type') ?? '')) throw foreignAnswerError(transport.url, response)
    for (;;) {
      const chunk = await reader?.read()
      if (chunk === undefined || chunk.done) return
      yield chunk.value
    }
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof ConnectionError) throw cause
    throw new ConnectionError(`the export of ${transport.url} was interrupted: ${failureReason(cause)}`, { cause })
  } finally {
    // close the connection when the reader stops
    reader?.cancel().catch(() => {})
  }
}

/**
 * The digests of an export of the same period, one JSON object per line, and the digest before it, whose head is the hash
 * before the first entry. Read them before the entries: a digest that is signed meanwhile covers entries that follow.
 */
export async function readAuditDigests(
  auditDigests: Groups['auditDigests'],
  { from, signal }: Pick<AuditExportOptions, 'from' | 'signal'>,
): Promise<string> {
  const options = signal === undefined ? {} : { signal }
  const before =
    from === undefined
      ? undefined
      : await auditDigests.query({ q: [`createDate<${from}`], sort: '-lastSeq', limit: 1 }, options)
  const digests = [...(before?.inventories ?? [])]
  const q = from === undefined ? [] : [`createDate>=${from}`]
  for await (const digest of auditDigests.all({ q, sort: '+firstSeq' }, options)) digests.push(digest)
  return digests.map(({ document, signature }) => `${JSON.stringify({ document, signature })}\n`).join('')
}
