import { dirname } from 'node:path'
import { pipeline, Transform } from 'node:stream'
import { ApiError } from '@wharf/platform/api-error.ts'
import { streamMd5 } from '@wharf/platform/stream-digest.ts'
import type { BackupStorageDriver } from '../../backup-storage/driver.ts'
import type { HostDriver } from '../../hosts/driver.ts'
import { makeFolder } from '../hypervisor/host-layout.ts'

export interface CopiedImage {
  readonly name: string
  readonly md5Sum: string
  readonly actualSize: number
  /** On the storage. */
  readonly installPath: string
}

interface CopyOptions {
  readonly storage: BackupStorageDriver
  readonly host: HostDriver
  /** On the host. */
  readonly path: string
  /** On the host: the file until it is complete. Only one job writes it, and that job removes what remains. */
  readonly partialPath: string
  readonly signal: AbortSignal
  readonly log: (line: string) => void
  readonly progress: (percent: number) => void
}

/**
 * Copies the image from its storage once per host. A modified copy is replaced atomically, because other VMs may be created
 * from it, or copy it, at the same time.
 */
export async function copyToHost(image: CopiedImage, options: CopyOptions): Promise<void> {
  const { host, path, partialPath, signal, log } = options
  if ((await md5OnHost(host, path, signal)) === image.md5Sum) return
  await host.remove(partialPath, { signal })
  for (const file of [path, partialPath]) await makeFolder(host, dirname(file), signal)
  log(`copying ${image.name}, ${image.actualSize} bytes, to the host`)
  await host.put(checkedBytes(image, options), partialPath, { signal })
  const copiedMd5 = await md5OnHost(host, partialPath, signal)
  if (copiedMd5 !== image.md5Sum)
    throw new ApiError('SYS.1016', `${image.name} has the MD5 ${copiedMd5} on the host instead of ${image.md5Sum}`)
  await moveOnHost(host, partialPath, path, signal)
}

async function moveOnHost(host: HostDriver, from: string, to: string, signal: AbortSignal): Promise<void> {
  const output: string[] = []
  const { exitCode } = await host.run(['mv', '-f', '-T', '--', from, to], {
    signal,
    onLine: (line) => void output.push(line),
  })
  if (exitCode !== 0)
    throw new ApiError('SYS.1016', `the host could not move ${from} to ${to}: ${output.slice(0, 5).join('; ')}`)
}

/** The stream from the storage, which fails when its checksum differs. */
function checkedBytes(
  { name, md5Sum, actualSize, installPath }: CopiedImage,
  { storage, signal, progress }: CopyOptions,
) {
  const md5 = streamMd5(actualSize)
  let readBytes = 0
  const check = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      readBytes += chunk.length
      progress(Math.min(99, Math.floor((100 * readBytes) / actualSize)))
      Promise.resolve(md5.update(chunk)).then(
        () => done(null, chunk),
        (error: Error) => done(error),
      )
    },
    flush: (done) => {
      md5.digest().then(
        (sum) => done(sum === md5Sum ? null : checksumMismatch(name, sum, md5Sum)),
        (error: Error) => done(error),
      )
    },
    destroy: (error, done) => {
      md5.close()
      done(error)
    },
  })
  // a failure destroys the returned stream
  return pipeline(storage.get(installPath, { signal }), check, () => {})
}

const checksumMismatch = (name: string, sum: string, expected: string): ApiError =>
  new ApiError('SYS.1016', `${name} has the MD5 ${sum} on backup storage instead of ${expected}`)

/** Undefined when the file does not exist. */
async function md5OnHost(host: HostDriver, path: string, signal: AbortSignal): Promise<string | undefined> {
  let sum: string | undefined
  await host.run(['sh', '-c', '[ -f "$1" ] && md5sum <"$1"', 'wharf', path], {
    signal,
    onLine: (line, stream) => {
      if (stream === 'stdout') sum ??= /^([0-9a-f]{32})\b/.exec(line)?.[1]
    },
  })
  return sum
}
