import { constants } from 'node:fs'
import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ApiError } from '@wharf/platform/api-error.ts'
import { reasonOf } from '@wharf/platform/operator-error.ts'
import { checkEntries } from './check-entries.ts'
import type { Elaboration, Problem } from './elaboration.ts'
import { type ReadEntries, readEntries } from './read-entries.ts'

const maxFiles = 1000
const maxFileBytes = 8 * 1024 * 1024
/** Opening a FIFO would wait for somebody who writes into it. */
const withoutWaiting = constants.O_RDONLY | constants.O_NONBLOCK
/** An answer names the first faults; the check operation names all of a file. */
const maxNamed = 5

/** The entries of all `*.json` files of a folder, in the order of their names: all of them, or a failure that says why. */
export async function readOperatorFolder(folder: string): Promise<Elaboration[]> {
  const names = await namesIn(folder)
  const files: ReadEntries[] = []
  for (const name of names) files.push(await readFile(folder, name))
  const problems = await checkEntries(files)
  if (problems.length > 0) throw new ApiError('SYS.1006', `the elaborations stay as they were: ${listed(problems)}`)
  return files.flatMap(({ entries }) => entries)
}

async function namesIn(folder: string): Promise<string[]> {
  const all = await readdir(folder).catch((cause: unknown) => {
    throw unreadable(folder, cause)
  })
  const names = all.filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort()
  if (names.length > maxFiles)
    throw new ApiError('SYS.1006', `the elaborations stay as they were: ${folder} holds more than ${maxFiles} files`)
  return names
}

async function readFile(folder: string, name: string): Promise<ReadEntries> {
  try {
    await using file = await open(join(folder, name), withoutWaiting)
    const refused = (reason: string): ReadEntries => ({
      fileName: name,
      entries: [],
      problems: [{ fileName: name, content: null, reason }],
    })
    if (!(await file.stat()).isFile()) return refused('it is no regular file')
    const bytes = await firstBytes(file)
    if (bytes.length > maxFileBytes) return refused(`it is larger than ${maxFileBytes} bytes`)
    try {
      return readEntries(new TextDecoder('utf-8', { fatal: true }).decode(bytes), name)
    } catch {
      return refused('it is not UTF-8')
    }
  } catch (cause) {
    throw unreadable(join(folder, name), cause)
  }
}

/** One more than a file may have at most; it may grow while it is read. */
const firstBytes = (file: FileHandle): Promise<Buffer> =>
  buffer(file.createReadStream({ end: maxFileBytes, autoClose: false }))

const unreadable = (path: string, cause: unknown): ApiError =>
  new ApiError('SYS.1016', `the elaborations stay as they were: cannot read ${path}: ${reasonOf(cause)}`, { cause })

function listed(problems: readonly Problem[]): string {
  const named = problems.slice(0, maxNamed).map(({ fileName, reason }) => `${fileName}: ${reason}`)
  const more = problems.length - named.length
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join('; ').slice(0, 2000).toWellFormed()
}
