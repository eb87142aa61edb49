import { Readable } from 'node:stream'
import { type AuditRecord, exportAuditEntries } from '@wharf/contract'
import { invalid } from '@wharf/platform/api-error.ts'
import type { AuditService } from '../audit/service.ts'
import { readTime } from '../calls/read-period.ts'
import { type ExportFormat, exportFormats } from '../resources/audit-entries/export-formats.ts'
import type { Credentials } from '../resources/identity/credentials.ts'
import { type ServedBinding, stream } from './exchange.ts'

interface AuditExportDeps {
  readonly audit: AuditService
  readonly credentials: Credentials
  readonly settings: { readonly timezone: string }
}

/** A stream of pages: its memory does not depend on the number of entries. */
export const auditExport = ({ audit, credentials, settings: { timezone } }: AuditExportDeps): ServedBinding =>
  stream(exportAuditEntries, async ({ caller, fields }, { reply }) => {
    const from = fields.from === undefined ? undefined : readTime('from', fields.from, timezone)
    const to = fields.to === undefined ? undefined : readTime('to', fields.to, timezone)
    if (from !== undefined && to !== undefined && from >= to) throw invalid('from must be earlier than to')
    const format = exportFormats[fields.format ?? 'ndjson']
    reply
      .header('content-type', format.contentType)
      .header('cache-control', 'no-store')
      .header('content-disposition', `attachment; filename="${format.fileName}"`)
    const isStillValid = () => credentials.isStillValid(caller)
    await reply.send(Readable.from(exportText(audit.export(from, to), format, isStillValid)))
  })

/** Breaks off when the credential is revoked meanwhile. */
async function* exportText(
  pages: AsyncIterable<AuditRecord[]>,
  format: ExportFormat,
  isStillValid: () => Promise<boolean>,
): AsyncGenerator<string> {
  if (format.header !== '') yield format.header
  for await (const entries of pages) {
    if (!(await isStillValid())) throw new Error('the credential of the export was revoked')
    yield entries.map((entry) => format.line(entry)).join('')
  }
}
