import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { charactersOf, maxPageCharacters } from './read-cost.ts'
import { deadlineExceeded, ReadDeadline } from './read-deadline.ts'

export interface ThreadSettings {
  readonly file: string
  readonly readMs: number
}

export interface ReadOrder {
  readonly sql: string
  readonly values: readonly unknown[]
}

export type ReadReply =
  | { readonly names: string[]; readonly lists: unknown[][] }
  | { readonly refused: 'too-slow' | 'too-large' }
  | { readonly failure: { readonly message: string; readonly errcode: unknown } }

const { file, readMs } = workerData as ThreadSettings
const raw = new DatabaseSync(file, { timeout: 5000, readOnly: true })
raw.exec('pragma cache_size = -16384; pragma mmap_size = 0')
const deadline = new ReadDeadline(raw)

function read({ sql, values }: ReadOrder): ReadReply {
  const statement = raw.prepare(sql)
  statement.setReturnArrays(true)
  const names = statement.columns().map(({ name }) => name)
  const lists: unknown[][] = []
  let characters = 0
  for (const row of statement.iterate(...(values as SQLInputValue[])) as unknown as Iterable<unknown[]>) {
    characters += charactersOf(row)
    if (characters > maxPageCharacters) return { refused: 'too-large' }
    lists.push(row)
  }
  return { names, lists }
}

parentPort?.on('message', (order: ReadOrder) => {
  let reply: ReadReply
  try {
    deadline.set(readMs)
    reply = read(order)
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: unknown }
    reply = error === deadlineExceeded ? { refused: 'too-slow' } : { failure: { message, errcode } }
  }
  parentPort?.postMessage(reply)
})
