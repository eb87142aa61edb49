import { reverseCleanup } from '../reverse-cleanup.ts'
import { TestServer, type TestServerOptions } from '../server/server.ts'
import { PackageCalls } from './package-calls.ts'
import { packageFolder } from './package-folder.ts'
import { PackageSource } from './package-source.ts'

/** A server, a folder for packages on its machine, and a web server to fetch them from. */
export class PackageFixture extends PackageCalls {
  readonly server: TestServer
  readonly source: PackageSource
  /** On this machine. */
  readonly folder: string

  private constructor(server: TestServer, source: PackageSource, folder: string) {
    super()
    this.server = server
    this.source = source
    this.folder = folder
  }

  static async start(
    t: { after(work: () => Promise<void>): void },
    options: TestServerOptions = {},
  ): Promise<PackageFixture> {
    const cleanup = reverseCleanup(t)
    const folder = packageFolder(cleanup)
    const source = await PackageSource.start(cleanup)
    const environment = { WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8', WHARF_FILE_ROOTS: folder, ...options.environment }
    return new PackageFixture(await TestServer.start(cleanup, { ...options, environment }), source, folder)
  }
}
