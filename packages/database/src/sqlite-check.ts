import { setTimeout as delay } from 'node:timers/promises'
import { OperatorError } from '@wharf/platform/operator-error.ts'
import { isDamaged } from './failures.ts'
import { quoteName } from './query-fields.ts'
import { RowList } from './row-list.ts'
import type { OpenedDatabase } from './sqlite.ts'
import { SlowReads } from './sqlite-slow-reads.ts'

/** Checked before the server uses it; this takes some 50 ms. What is larger is checked while the server runs. */
const checkedAtOnceBytes = 4 * 1024 * 1024
/** Of one table; several gigabytes on a slow disk take as long. */
const maxTableCheckMs = 600_000
/** Between two tables. While a table is checked SQLite cannot reuse the log, which grows; the next commits shorten it. */
const pauseMs = 1000
const reported = 5

const quickCheck = `pragma quick_check(${reported})`
/** Compares indexes with their tables as well, which takes several times as long. */
const fullChecks = [`pragma integrity_check(${reported})`, 'pragma foreign_key_check'] as const

const problemsOf = (rows: RowList): string[] =>
  rows.lists.map((values) => values.map(String).join(' ').replaceAll(/\s+/g, ' ')).filter((text) => text !== 'ok')

/** The problems of its files. */
async function problems(read: () => Promise<RowList>): Promise<string[]> {
  try {
    return problemsOf(await read())
  } catch (error) {
    if (isDamaged(error)) return [(error as Error).message]
    throw error
  }
}

export const damagedFile = (file: string, found: readonly string[]): OperatorError =>
  new OperatorError(
    `the database ${file} is damaged (${found.join('; ')}): move its files away and restore a backup (wharf-server restore FILE)`,
  )

async function sizeOf(database: OpenedDatabase): Promise<number> {
  const { lists } = await database.rows(
    'select page_count * page_size as "bytes" from pragma_page_count, pragma_page_size',
    [],
  )
  return Number(lists[0]?.[0] ?? 0)
}

/** Throws for a damaged file. True when it is too large to be checked immediately. */
export async function refuseDamaged(database: OpenedDatabase, file: string, atMostBytes = checkedAtOnceBytes) {
  if (database.engine !== 'sqlite') return false
  let isTooLarge = false
  const found = await problems(async () => {
    isTooLarge = (await sizeOf(database)) > atMostBytes
    return isTooLarge ? RowList.none : database.rows(quickCheck, [])
  })
  if (found.length > 0) throw damagedFile(file, found)
  return isTooLarge
}

interface LaterCheck {
  readonly onDamage: (found: readonly string[]) => void
  /** The check itself failed. */
  readonly onFailure: (error: unknown) => void
}

/** The same table by table in a thread, while the database is used. Returns a stop function. */
export function checkLater(file: string, { onDamage, onFailure }: LaterCheck, waitMs = pauseMs): () => void {
  const thread = new SlowReads(file, maxTableCheckMs)
  const stop = new AbortController()
  const rows = (sql: string) => thread.rows({ sql, values: [] }, { share: '', maxWaiting: 1 })
  const check = async (): Promise<void> => {
    const tables = await rows(`select "name" from sqlite_schema where "type" = 'table'`)
    for (const name of ['sqlite_schema', ...tables.lists.map(([name]) => String(name))]) {
      const found = await problems(() => rows(`pragma quick_check(${quoteName(name)})`))
      if (found.length > 0) return onDamage(found.slice(0, reported))
      await delay(waitMs, undefined, { signal: stop.signal, ref: false })
    }
  }
  check()
    .catch((error: unknown) => {
      if (stop.signal.aborted) return
      if (isDamaged(error)) onDamage([(error as Error).message])
      else onFailure(error)
    })
    .finally(() => thread.close())
  return () => {
    stop.abort()
    // not waited for: the check of a table cannot be interrupted
    void thread.close()
  }
}

/** All damage that SQLite can detect. */
export async function findAllDamage(database: OpenedDatabase): Promise<string[]> {
  const found: string[] = []
  for (const check of fullChecks) found.push(...(await problems(() => database.rows(check, []))))
  return found.slice(0, reported)
}
