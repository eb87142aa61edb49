import { OperatorError } from '../platform/operator-error.ts'
import { isDamaged } from './failures.ts'
import type { OpenedDatabase } from './sqlite.ts'
import { SlowReads } from './sqlite-slow-reads.ts'

/** Checked before the server uses it; this takes some 50 ms. What is larger is checked while the server runs. */
const checkedAtOnceBytes = 4 * 1024 * 1024
/** Of a database of 10 GB on a slow disk. */
const maxCheckMs = 3_600_000
const reported = 5

const quickCheck = `pragma quick_check(${reported})`
/** Compares indexes with their tables as well, which takes several times as long. */
const fullChecks = [`pragma integrity_check(${reported})`, 'pragma foreign_key_check'] as const

type Rows = readonly Record<string, unknown>[]

const problemsOf = (rows: Rows): string[] =>
  rows.flatMap((row) => {
    const [text, ...more] = Object.values(row).map(String)
    return text === 'ok' && more.length === 0 ? [] : [[text, ...more].join(' ').replaceAll(/\s+/g, ' ')]
  })

/** What is wrong with its files; empty when nothing is. */
async function problems(read: () => Promise<Rows>): Promise<string[]> {
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
  const [row] = await database.rows(
    'select page_count * page_size as "bytes" from pragma_page_count, pragma_page_size',
    [],
  )
  return Number(row?.bytes ?? 0)
}

/** Throws for a damaged file. True when it is too large to be checked here and now. */
export async function refuseDamaged(database: OpenedDatabase, file: string, atMostBytes = checkedAtOnceBytes) {
  if (database.engine !== 'sqlite') return false
  let isTooLarge = false
  const found = await problems(async () => {
    isTooLarge = (await sizeOf(database)) > atMostBytes
    return isTooLarge ? [] : database.rows(quickCheck, [])
  })
  if (found.length > 0) throw damagedFile(file, found)
  return isTooLarge
}

/** The same in a thread, while the database is used. Returns how to end it early. */
export function checkLater(file: string, onDamage: (found: readonly string[]) => void): () => void {
  const thread = new SlowReads(file, maxCheckMs)
  problems(() => thread.rows({ sql: quickCheck, values: [] }, { user: '', maxWaiting: 1 })).then(
    (found) => {
      if (found.length > 0) onDamage(found)
      return thread.close()
    },
    () => {},
  )
  // not waited for: a check cannot be interrupted
  return () => void thread.close()
}

/** Everything that SQLite can find out about a file. */
export async function findAllDamage(database: OpenedDatabase): Promise<string[]> {
  const found: string[] = []
  for (const check of fullChecks) found.push(...(await problems(() => database.rows(check, []))))
  return found.slice(0, reported)
}
