import { dirname } from 'node:path'
import { pipeline, Transform } from 'node:stream'
import { ApiError } from '@wharf/platform/api-error.ts'
import { streamMd5 } from '@wharf/platform/stream-digest.ts'
import type { BackupStorageDriver } from '../../backup-storage/driver.ts'
import type { HostDriver } from '../../hosts/driver.ts'
import { makeFolder } from '../hypervisor/host-place.ts'

export interface CopiedImage {
  readonly name: string
  readonly md5Sum: string
  readonly actualSize: number
  /** On the storage. */
  readonly installPath: string
}

interface Way {
  readonly storage: BackupStorageDriver
  readonly host: HostDriver
  /** On the host. */
  readonly path: string
  /** On the host too: where it is until it is whole. Nobody else writes there, and who began removes what is left. */
  readonly arrival: string
  readonly signal: AbortSignal
  readonly log: (line: string) => void
  readonly progress: (percent: number) => void
}

/**
 * Once per host: the image as it is on its storage. One that was changed meanwhile is replaced by what it should be, in
 * one step: other VMs may be made from it, or bring it, at the same time.
 */
export async function copyToHost(image: CopiedImage, way: Way): Promise<void> {
  const { host, path, arrival, signal, log } = way
  if ((await md5OnHost(host, path, signal)) === image.md5Sum) return
  await host.remove(arrival, { signal })
  for (const file of [path, arrival]) await makeFolder(host, dirname(file), signal)
  log(`copying ${image.name}, ${image.actualSize} bytes, to the host`)
  await host.put(checkedBytes(image, way), arrival, { signal })
  const arrived = await md5OnHost(host, arrival, signal)
  if (arrived !== image.md5Sum)
    throw new ApiError('SYS.1016', `${image.name} has the MD5 ${arrived} on the host instead of ${image.md5Sum}`)
  await moveOnHost(host, arrival, path, signal)
}

async function moveOnHost(host: HostDriver, from: string, to: string, signal: AbortSignal): Promise<void> {
  const said: string[] = []
  const { exitCode } = await host.run(['mv', '-f', '-T', '--', from, to], {
    signal,
    onLine: (line) => void said.push(line),
  })
  if (exitCode !== 0)
    throw new ApiError('SYS.1016', `the host could not move ${from} to ${to}: ${said.slice(0, 5).join('; ')}`)
}

/** From the storage; they end well only when they are what they should be. */
function checkedBytes({ name, md5Sum, actualSize, installPath }: CopiedImage, { storage, signal, progress }: Way) {
  const md5 = streamMd5(actualSize)
  let seen = 0
  const check = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      seen += chunk.length
      progress(Math.min(99, Math.floor((100 * seen) / actualSize)))
      Promise.resolve(md5.update(chunk)).then(
        () => done(null, chunk),
        (error: Error) => done(error),
      )
    },
    flush: (done) => {
      md5.digest().then(
        (sum) => done(sum === md5Sum ? null : changed(name, sum, md5Sum)),
        (error: Error) => done(error),
      )
    },
    destroy: (error, done) => {
      md5.close()
      done(error)
    },
  })
  // what goes wrong is told by the stream that comes out
  return pipeline(storage.get(installPath, { signal }), check, () => {})
}

const changed = (name: string, sum: string, expected: string): ApiError =>
  new ApiError('SYS.1016', `${name} has the MD5 ${sum} on backup storage instead of ${expected}`)

/** Undefined when there is no such file. */
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
