import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Canaries,
  ChatReceiver,
  type Client,
  gzipped,
  installable,
  PackageSource,
  reverseCleanup,
  startHosts,
  type TestHost,
  TestServer,
  trialOperations,
} from '@wharf/testkit'
import { file, tarOf } from '@wharf/testkit/packages/archives.ts'

interface Cleanup {
  after(work: () => Promise<void>): void
}

/** Nothing listens on this port. All addresses in calls are on this machine. */
export const closedPort = 1
/** Hooks of a package under test take this long at most. */
const hookTimeout = '20s'

/** A server, and everything that its operations connect to. */
export class FuzzFixture {
  readonly server: TestServer
  readonly admin: Client
  readonly reader: Client
  readonly folder: string
  /** Addresses of packages, good and bad. */
  readonly packageUrls: readonly string[]
  readonly clusterPackageUrl: string
  /** A package on backup storage that no call deletes, for releases. */
  readonly storedPackageUuid: string
  /** A release that no call retires. */
  readonly rolledOutRelease: string
  readonly receiver: ChatReceiver
  /** The port of a component that accepts our tokens. */
  readonly componentPort: number
  readonly host: TestHost
  readonly canaries = new Canaries()
  /** The prefix of every secret that is sent, so that one search finds them all. */
  readonly secret: string
  #numbers = 0

  private constructor(parts: Omit<FuzzFixture, 'admin' | 'canaries' | 'secret' | 'nextNumber' | 'secretText'>) {
    this.server = parts.server
    this.admin = parts.server.admin
    this.reader = parts.reader
    this.folder = parts.folder
    this.packageUrls = parts.packageUrls
    this.clusterPackageUrl = parts.clusterPackageUrl
    this.storedPackageUuid = parts.storedPackageUuid
    this.rolledOutRelease = parts.rolledOutRelease
    this.receiver = parts.receiver
    this.componentPort = parts.componentPort
    this.host = parts.host
    this.secret = this.canaries.create('a secret that was sent')
  }

  static async start(t: Cleanup): Promise<FuzzFixture> {
    const cleanup = reverseCleanup(t)
    const makeFolder = (): string => {
      const created = mkdtempSync(join(tmpdir(), 'wharf-fuzz-'))
      cleanup.after(async () => rmSync(created, { recursive: true, force: true }))
      return created
    }
    const folder = makeFolder()
    const data = join(makeFolder(), 'data')
    const source = await PackageSource.start(cleanup)
    const receiver = await ChatReceiver.start(cleanup)
    const componentPort = await startComponent(cleanup)
    const [host] = await startHosts(cleanup, 1)
    const environment = {
      WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8',
      WHARF_FILE_ROOTS: folder,
      WHARF_DATA: data,
    }
    const server = await TestServer.start(cleanup, { extend: trialOperations, environment })
    const reader = await server.signIn('reader')
    const hooks = { install: 'cat >installed', uninstall: 'rm -f installed' }
    return new FuzzFixture({
      server,
      reader,
      folder,
      receiver,
      componentPort,
      host: host as TestHost,
      packageUrls: [
        source.serve('demo.tar', installable({ hooks, timeout: hookTimeout })),
        source.serve('demo.tar.gz', gzipped(installable({ hooks, timeout: hookTimeout }))),
        source.serve('failing.tar', installable({ hooks: { install: 'exit 3' } })),
        source.serve('plain.txt', Buffer.from('no archive')),
        source.serve('broken.tar.gz', Buffer.from('no archive either')),
        `${source.serve('missing', Buffer.alloc(0))}-indeed`,
        `http://127.0.0.1:${closedPort}/nothing.tar`,
        `file://${folder}/nothing.tar`,
      ],
      clusterPackageUrl: source.serve('cluster.tar', clusterPackage()),
      storedPackageUuid: await storePackage(server, source, 'released'),
      rolledOutRelease: await publishPackage(server, await storePackage(server, source, 'rolled-out')),
    })
  }

  /** Different in every call, for values that must be unique. */
  nextNumber(): number {
    return ++this.#numbers
  }

  /** The maximum length of the shortest field for secrets. */
  secretText(): string {
    return `${this.secret}${this.nextNumber()}`
  }
}

/** Accepts requests with one of our tokens. */
async function startComponent(cleanup: Cleanup): Promise<number> {
  const component = createServer((request, response) => {
    response.writeHead(request.headers.authorization?.startsWith('Bearer canary') ? 200 : 401).end()
  })
  component.listen(0, '127.0.0.1')
  await once(component, 'listening')
  cleanup.after(async () => {
    component.closeAllConnections()
    component.close()
  })
  return (component.address() as AddressInfo).port
}

async function storePackage({ admin }: TestServer, source: PackageSource, name: string): Promise<string> {
  const url = source.serve(`${name}.tar`, installable({ name }))
  const params = { name, type: 'demo', url, installPath: `${name}/package` }
  const { body, text } = await admin.post('/v1/software-packages/backup-storage/upload', { params })
  if (body.inventory === undefined) throw new Error(text)
  return (body.inventory as { uuid: string }).uuid
}

async function publishPackage({ admin }: TestServer, softwarePackageUuid: string): Promise<string> {
  const { body, text } = await admin.post('/v1/releases', { params: { softwarePackageUuid } })
  if (body.inventory === undefined) throw new Error(text)
  const { name, version } = body.inventory as { name: string; version: string }
  return `${name}@${version}`
}

/** Claims to form clusters; its programs do nothing, as they run on this machine. */
function clusterPackage(): Buffer {
  const run = { run: ['./nothing.sh'], timeout: hookTimeout }
  const manifest = {
    name: 'cluster',
    version: '1',
    type: 'storage',
    install: run,
    uninstall: run,
    cluster: { initialise: run },
  }
  return tarOf(file('wharf.json', JSON.stringify(manifest)), {
    ...file('nothing.sh', '#!/bin/sh\ncat >/dev/null\n'),
    mode: 0o755,
  })
}
