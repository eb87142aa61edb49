import { createReadStream } from 'node:fs'
import { chmod, link, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { requireOwned } from '../jobs/ownership.ts'
import { ApiError } from '../platform/api-error.ts'
import { isDiskFull } from '../platform/disk-failure.ts'
import { reasonOf } from '../platform/operator-error.ts'
import type { HostDriver, PutOptions } from './driver.ts'
import { hostPath } from './shell/host-path.ts'
import { ShellHost } from './shell/shell-host.ts'
import { LocalTransport } from './shell/transport.ts'

/** This machine as a host. */
export const openLocalDriver = (): Required<HostDriver> => new LocalHost(new LocalTransport())

class LocalHost extends ShellHost implements Required<HostDriver> {
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
      // another file system: it must be copied after all
      if (code === 'EXDEV' || code === 'EPERM') await this.put(createReadStream(file), path, options)
      else if (code === 'EEXIST') throw new ApiError('SYS.1002', `${path} exists already on this node`)
      else {
        const words = `this node cannot write ${path}: ${reasonOf(cause)}`
        throw new ApiError(isDiskFull(cause) ? 'SoftwarePackage.1121' : 'SYS.1016', words, { cause })
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
