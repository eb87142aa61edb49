import { AuditEntryInventory, type AuditExportFormat, type AuditRecord, canonicalJson } from '@wharf/contract'
import { ocsfEvent } from './ocsf.ts'

export interface ExportFormat {
  readonly contentType: string
  readonly fileName: string
  /** Before the first entry. */
  readonly header: string
  line(entry: AuditRecord): string
}

const columns = Object.keys(AuditEntryInventory.schema.properties) as (keyof AuditRecord)[]

/** A spreadsheet would execute a text that starts like a formula. */
const isFormula = /^[=+\-@\t\r]/

function csvCell(value: unknown): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : canonicalJson(value)
  const safe = isFormula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const csvLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`

export const exportFormats: Readonly<Record<AuditExportFormat, ExportFormat>> = {
  ndjson: {
    contentType: 'application/x-ndjson',
    fileName: 'audit.ndjson',
    header: '',
    line: (entry) => `${canonicalJson(entry)}\n`,
  },
  csv: {
    contentType: 'text/csv; charset=utf-8',
    fileName: 'audit.csv',
    header: csvLine(columns),
    line: (entry) => csvLine(columns.map((column) => csvCell(entry[column]))),
  },
  ocsf: {
    contentType: 'application/x-ndjson',
    fileName: 'audit.ocsf.ndjson',
    header: '',
    line: (entry) => `${JSON.stringify(ocsfEvent(entry))}\n`,
  },
}
