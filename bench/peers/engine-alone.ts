import { randomBytes } from 'node:crypto'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import pg from 'pg'
import type { Ran, Unit } from './recorded-statements.ts'

/** The statements that a server ran for one record, repeated for others. */
export interface Pattern {
  readonly uuid: string
  readonly units: readonly Unit[]
}

/** As many as the server opens by default. */
const postgresConnections = 10

/** Does it `count` times with the bare driver, each time for a record of its own. */
export type EngineAlone = (count: number) => Promise<void>

/** As the server has it: one writer, every commit on the disk. */
export function sqliteAlone(cleanup: AsyncDisposableStack, file: string, pattern: Pattern): EngineAlone {
  const database = new DatabaseSync(file)
  cleanup.defer(() => database.close())
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536')
  const prepared = new Map<string, StatementSync>()
  const run = ({ sql, values }: Ran): void => {
    const statement = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, statement)
    statement.all(...(values as SQLInputValue[]))
  }
  return async (count) => {
    for (let made = 0; made < count; made++) for (const one of withNewUuid(pattern).flat()) run(one)
  }
}

export async function postgresAlone(
  cleanup: AsyncDisposableStack,
  url: string,
  pattern: Pattern,
): Promise<EngineAlone> {
  const clients = Array.from({ length: postgresConnections }, () => new pg.Client(url))
  for (const client of clients) {
    cleanup.defer(() => client.end())
    await client.connect()
  }
  return async (count) => {
    let left = count
    const work = async (client: pg.Client): Promise<void> => {
      while (left-- > 0) for (const { sql, values } of withNewUuid(pattern).flat()) await client.query(sql, [...values])
    }
    await Promise.all(clients.map(work))
  }
}

function withNewUuid({ uuid, units }: Pattern): Ran[][] {
  const another = randomBytes(16).toString('hex')
  const renamed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renamed)
    return typeof value === 'string' ? value.replaceAll(uuid, another) : value
  }
  return units.map((unit) => unit.map(({ sql, values }) => ({ sql, values: values.map(renamed) })))
}
