import type { AuditRecord } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { auditRecord } from './audit-record.ts'
import { EntryStore } from './entry-store.ts'
import { SigningKey } from './signing-key.ts'

interface AuditDeps {
  readonly database: Database
  readonly sealing: Sealing
}

/** Rows are read on the main thread with SQLite, so a page takes a few milliseconds. */
const exportPage = 250

/** The audit trail as other parts of the server use it. */
export class AuditService {
  readonly #store: EntryStore
  readonly signingKey: SigningKey

  constructor(deps: AuditDeps) {
    this.#store = new EntryStore(deps.database)
    this.signingKey = new SigningKey(deps)
  }

  /** The sealed entries of a period, a page at a time. */
  async *export(from: number | undefined, to: number): AsyncGenerator<AuditRecord[]> {
    const range = await this.#store.range(from, to)
    if (range === undefined) return
    for (let after = range.first - 1; after < range.last; ) {
      const rows = await this.#store.page(after, range.last, exportPage)
      // removed meanwhile by the retention
      if (rows.length === 0) return
      yield rows.map(auditRecord)
      after = rows.at(-1)?.seq ?? range.last
    }
  }
}
