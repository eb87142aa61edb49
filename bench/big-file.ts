import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { tarEnd, tarHeaderOf } from '@wharf/archives/tar/tar-writer.ts'

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

/** A tar of one such file. */
export async function writeBigTar(path: string): Promise<string> {
  const file = openSync(path, 'w')
  writeSync(
    file,
    tarHeaderOf({ name: 'file', type: 'file', mode: 0o644, bytes: fileBytes, changed: new Date(0), target: '' }),
  )
  writeRandom(file)
  writeSync(file, tarEnd)
  closeSync(file)
  return md5Of(path)
}

function writeRandom(file: number): void {
  for (let written = 0; written < fileBytes; written += 16 * MiB) writeSync(file, randomBytes(16 * MiB))
}

const md5Of = async (path: string): Promise<string> => (await run('md5sum', [path])).stdout.slice(0, 32)

/** MiB per second. */
export async function rateOf(work: () => Promise<unknown>, bytes = fileBytes): Promise<number> {
  const began = performance.now()
  await work()
  return bytes / MiB / ((performance.now() - began) / 1000)
}
