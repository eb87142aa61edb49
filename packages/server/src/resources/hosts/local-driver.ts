import { createReadStream } from 'node:fs'
import { chmod, link, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { ApiError } from '@wharf/platform/api-error.ts'
import { claiming, type DiskSpace, diskReserveBytes, spaceIn } from '@wharf/platform/data-disk.ts'
import { isDiskFull } from '@wharf/platform/disk-failure.ts'
import { reasonOf } from '@wharf/platform/operator-error.ts'
import { requireOwned } from '../../jobs/ownership.ts'
import type { HostDriver, HostMeasurement, PathInspection, PutOptions, Usage } from './driver.ts'
import { hostPath } from './shell/host-path.ts'
import { ShellHost } from './shell/shell-host.ts'
import { LocalTransport } from './shell/transport.ts'

/** This machine as a host. With a data folder, it keeps the reserve free on the disk of that folder. */
export const openLocalDriver = (data?: string): Required<HostDriver> => new LocalHost(data)

class LocalHost extends ShellHost implements Required<HostDriver> {
  readonly #data: string | undefined

  constructor(data: string | undefined) {
    super(new LocalTransport())
    this.#data = data
  }

  override async put(bytes: Readable, path: string, options: PutOptions): Promise<void> {
    // it may fail before it is read; the reader still gets the error
    bytes.on('error', () => {})
    try {
      const space = await this.#spaceIn(dirname(hostPath(path)))
      await super.put(space ? Readable.from(claiming(space, bytes)) : bytes, path, options)
    } finally {
      bytes.destroy()
    }
  }

  override async usage(path: string, options: PutOptions): Promise<Usage> {
    return this.#withoutReserve(path, await super.usage(path, options))
  }

  override async inspectPath(path: string, options: PutOptions): Promise<PathInspection> {
    const { usage, ...others } = await super.inspectPath(path, options)
    return { ...others, usage: await this.#withoutReserve(path, usage) }
  }

  override async measure(packagesPath: string | null, options: PutOptions): Promise<HostMeasurement> {
    const { disk, packagesDisk, ...others } = await super.measure(packagesPath, options)
    return {
      ...others,
      disk: await this.#withoutReserve('/', disk),
      packagesDisk: packagesDisk && (await this.#withoutReserve(packagesPath ?? '/', packagesDisk)),
    }
  }

  async #withoutReserve(path: string, { totalCapacity, availableCapacity }: Usage): Promise<Usage> {
    const reserved = (await this.#spaceIn(path)) ? diskReserveBytes : 0
    return { totalCapacity, availableCapacity: Math.max(availableCapacity - reserved, 0) }
  }

  async #spaceIn(path: string): Promise<DiskSpace | undefined> {
    return this.#data === undefined ? undefined : spaceIn(path, this.#data)
  }

  async adopt(file: string, path: string, options: PutOptions): Promise<void> {
    options.signal.throwIfAborted()
    hostPath(path)
    try {
      await syncPath(file)
      requireOwned()
      await link(file, path)
      await chmod(path, 0o644)
      await syncPath(dirname(path))
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      // another file system: the file must be copied
      if (code === 'EXDEV' || code === 'EPERM') await this.put(createReadStream(file), path, options)
      else if (code === 'EEXIST')
        throw new ApiError(
          'SYS.1002',
          `${path} already exists on this node; choose another path, or delete what is there`,
        )
      else {
        const details = `this node cannot write ${path}: ${reasonOf(cause)}`
        throw new ApiError(isDiskFull(cause) ? 'SoftwarePackage.1121' : 'SYS.1016', details, { cause })
      }
    }
  }
}

async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
