import type { Database } from '@wharf/database/database.ts'
import { listSettings, writeSetting } from '@wharf/database/stored-settings.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import { sql } from 'kysely'

const batchRows = 100
/** The columns that name a row in the context of its sealed values, where it is not the uuid. */
const identities: Readonly<Record<string, string>> = {
  accessKeys: 'AccessKeyID',
  idempotencyKeys: 'key',
  oidcSessions: 'sessionHash',
  oidcSignIns: 'stateHash',
}

interface SealedColumn {
  readonly table: string
  readonly column: string
  readonly identity: string
}

/** Every column whose name starts with `sealed`: the convention by which a new one takes part in a rotation. */
async function listSealedColumns({ read }: Database): Promise<SealedColumn[]> {
  const tables = await read.introspection.getTables()
  return tables.flatMap(({ name: table, columns }) =>
    columns
      .filter(({ name }) => /^sealed[A-Z]/.test(name))
      .map(({ name: column }) => ({ table, column, identity: identities[table] ?? 'uuid' })),
  )
}

/** `hosts.privateKey.<uuid>` for `sealedPrivateKey` of `hosts`. */
const sealContext = ({ table, column }: SealedColumn, id: string): string =>
  `${table}.${column.charAt(6).toLowerCase()}${column.slice(7)}.${id}`

interface ResealDeps {
  readonly database: Database
  readonly sealing: Sealing
  /** Of a value that no key opens: it was lost before the rotation, and stays as it is. */
  readonly onUnreadable: (context: string) => void
  readonly signal?: AbortSignal
}

/** Seals every value with the current key, a few rows in each transaction. Repeated from the start after a crash. */
export async function resealAll(deps: ResealDeps): Promise<void> {
  for (const column of await listSealedColumns(deps.database)) {
    let after = ''
    for (;;) {
      deps.signal?.throwIfAborted()
      const last = await resealBatch(deps, column, after)
      if (last === undefined) break
      after = last
    }
  }
  await resealSettings(deps)
}

/** Returns the last row of the batch; undefined after the last batch. */
async function resealBatch(deps: ResealDeps, sealedColumn: SealedColumn, after: string): Promise<string | undefined> {
  const { table, column, identity } = sealedColumn
  const [rows, id, sealed] = [sql.table(table), sql.ref(identity), sql.ref(column)]
  return deps.database.transaction(async (tx) => {
    const batch = await sql<{ id: string; sealed: Uint8Array }>`select ${id} as "id", ${sealed} as "sealed" from ${rows}
      where ${id} > ${after} and ${sealed} is not null order by ${id} limit ${batchRows}`.execute(tx)
    for (const row of batch.rows) {
      const resealed = resealOne(deps, row.sealed, sealContext(sealedColumn, row.id))
      // only the value that was read: a later one is sealed with the current key already
      if (resealed)
        await sql`update ${rows} set ${sealed} = ${resealed} where ${id} = ${row.id} and ${sealed} = ${row.sealed}`.execute(
          tx,
        )
    }
    return batch.rows.at(-1)?.id
  })
}

/** Sealed values of the server itself, in base64. */
const resealSettings = (deps: ResealDeps): Promise<void> =>
  deps.database.transaction(async (tx) => {
    for (const { name, value } of await listSettings(tx, 'sealed')) {
      const resealed = resealOne(deps, Buffer.from(value, 'base64'), settingContext(name))
      if (resealed) await writeSetting(tx, name, resealed.toString('base64'))
    }
  })

export const settingContext = (name: string): string => `settings.${name}`

function resealOne({ sealing, onUnreadable }: ResealDeps, sealed: Uint8Array, context: string): Buffer | undefined {
  try {
    return sealing.reseal(sealed, context)
  } catch {
    onUnreadable(context)
    return undefined
  }
}
