import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { tarEnd, tarHeaderOf, tarPadding } from '@wharf/archives/tar/tar-writer.ts'

const MiB = 1024 * 1024
export const fileBytes = 1024 * MiB

export const run = promisify(execFile)

/** Writes random bytes, which cannot be compressed; returns the MD5. */
export async function writeBigFile(path: string): Promise<string> {
  const file = openSync(path, 'w')
  writeRandom(file)
  closeSync(file)
  return md5Of(path)
}

/** A tar of one such file. `small`: files that precede it, all of them executable. */
export async function writeBigTar(
  path: string,
  { bytes = fileBytes, small = {} }: { bytes?: number; small?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const file = openSync(path, 'w')
  const common = { type: 'file', mode: 0o755, changed: new Date(0), target: '' } as const
  for (const [name, text] of Object.entries(small)) {
    const data = Buffer.from(text)
    writeSync(file, tarHeaderOf({ ...common, name, bytes: data.length }))
    writeSync(file, Buffer.concat([data, tarPadding(data.length)]))
  }
  writeSync(file, tarHeaderOf({ ...common, name: 'file', mode: 0o644, bytes }))
  writeRandom(file, bytes)
  writeSync(file, tarEnd)
  closeSync(file)
  return md5Of(path)
}

/** A whole number of pieces. */
function writeRandom(file: number, bytes = fileBytes): void {
  const piece = 16 * MiB
  for (let written = 0; written < bytes; written += piece) writeSync(file, randomBytes(piece))
}

const md5Of = async (path: string): Promise<string> => (await run('md5sum', [path])).stdout.slice(0, 32)

/** MiB per second. */
export async function rateOf(work: () => Promise<unknown>, bytes = fileBytes): Promise<number> {
  const began = performance.now()
  await work()
  return bytes / MiB / ((performance.now() - began) / 1000)
}
