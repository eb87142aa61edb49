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
/** Opening a FIFO would block until a process writes to it. */
const nonBlocking = constants.O_RDONLY | constants.O_NONBLOCK
/** The response names the first problems; CheckElaborationContent returns all of a file. */
const maxListed = 5

/** Reads the entries of all `*.json` files of a folder, in the order of their names: all of them, or it throws. */
export async function readOperatorFolder(folder: string): Promise<Elaboration[]> {
  const names = await namesIn(folder)
  const files: ReadEntries[] = []
  for (const name of names) files.push(await readFile(folder, name))
  const problems = await checkEntries(files)
  if (problems.length > 0) throw new ApiError('SYS.1006', `the elaborations are unchanged: ${listed(problems)}`)
  return files.flatMap(({ entries }) => entries)
}

async function namesIn(folder: string): Promise<string[]> {
  const all = await readdir(folder).catch((cause: unknown) => {
    throw unreadable(folder, cause)
  })
  const names = all.filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort()
  if (names.length > maxFiles)
    throw new ApiError('SYS.1006', `the elaborations are unchanged: ${folder} contains more than ${maxFiles} files`)
  return names
}

async function readFile(folder: string, name: string): Promise<ReadEntries> {
  try {
    await using file = await open(join(folder, name), nonBlocking)
    const refused = (reason: string): ReadEntries => ({
      fileName: name,
      entries: [],
      problems: [{ fileName: name, content: null, reason }],
    })
    if (!(await file.stat()).isFile()) return refused('it is not a regular file')
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

/** One byte more than a file may have; it may grow while it is read. */
const firstBytes = (file: FileHandle): Promise<Buffer> =>
  buffer(file.createReadStream({ end: maxFileBytes, autoClose: false }))

const unreadable = (path: string, cause: unknown): ApiError =>
  new ApiError('SYS.1016', `the elaborations are unchanged: cannot read ${path}: ${reasonOf(cause)}`, { cause })

function listed(problems: readonly Problem[]): string {
  const named = problems.slice(0, maxListed).map(({ fileName, reason }) => `${fileName}: ${reason}`)
  const more = problems.length - named.length
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join('; ').slice(0, 2000).toWellFormed()
}
