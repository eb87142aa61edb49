import { closeSync, fchmodSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { CommandError } from '../errors.ts'

/** Undefined if the file does not exist. */
export function readJsonFile<T>(path: string, hint = 'fix it, or remove it and sign in again'): T | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new CommandError(`cannot read ${path}: ${(error as Error).message}`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // without the content: it may contain secrets
    throw new CommandError(`${path} is not valid JSON`, hint)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CommandError(`${path} does not contain a JSON object`, hint)
  return value as T
}

/** Replaces the file atomically. */
export function writeJsonFile(path: string, value: object, mode: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}.new`
  const file = openSync(temporary, 'w', mode)
  try {
    // the umask or an existing file may have set another mode
    fchmodSync(file, mode)
    writeSync(file, `${JSON.stringify(value, null, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
}
