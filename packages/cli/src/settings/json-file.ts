import { closeSync, fchmodSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { Refusal } from '../refusals.ts'

/** Undefined when there is no such file. */
export function readJsonFile<T>(path: string, hint = 'fix it, or move it away and sign in again'): T | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new Refusal(`${path} cannot be read: ${(error as Error).message}`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // no word of its content: it may hold secrets
    throw new Refusal(`${path} is not JSON`, hint)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal(`${path} holds no JSON object`, hint)
  return value as T
}

/** Whole or not at all. */
export function writeJsonFile(path: string, value: object, mode: number): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}.new`
  const file = openSync(temporary, 'w', mode)
  try {
    // the umask may have taken something away, or an old file had more
    fchmodSync(file, mode)
    writeSync(file, `${JSON.stringify(value, null, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
}
