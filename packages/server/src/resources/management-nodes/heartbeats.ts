import type { Database } from '@wharf/database/database.ts'
import { databaseNow } from '@wharf/database/now-sql.ts'

export interface Heartbeat {
  readonly uuid: string
  readonly status: 'Alive' | 'Dead'
  /** Since the last one, by the clock of the database, which wrote it. */
  readonly ageMs: number
}

/** Every node that was ever on this database. */
export async function heartbeats({ read, engine }: Database): Promise<Heartbeat[]> {
  const rows = await read
    .selectFrom('managementNodes')
    .select(['uuid', 'status', 'lastOpDate', databaseNow(engine).as('now')])
    .execute()
  return rows.map(({ uuid, status, lastOpDate, now }) => ({ uuid, status, ageMs: Math.max(0, now - lastOpDate) }))
}
