import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { hostsNeedRoot } from '../hosts/hosts.ts'
import { runProgram } from '../hosts/test-host.ts'
import { serverProgram } from '../program/programs.ts'
import { ServerProcess } from '../program/server-process.ts'
import { reverseCleanup } from '../reverse-cleanup.ts'
import { serverEnvironment } from '../server/server.ts'
import { PackageCalls } from './package-calls.ts'
import { packageFolder } from './package-folder.ts'
import { PackageSource } from './package-source.ts'
import { ProgramBreakpoints } from './program-breakpoints.ts'

/**
 * A server in a mount namespace of its own whose /usr/local/sbin is this folder: the programs that it runs on this machine can be
 * stopped there (see ProgramBreakpoints) or replaced, and its mounts end with it.
 */
export function interceptedServer(environment: Record<string, string>, programs: string): ServerProcess {
  const script = 'mount --bind "$0" /usr/local/sbin && exec "$@"'
  const wrapper = ['unshare', '--mount', '--propagation', 'private', 'sh', '-c', script, programs]
  return new ServerProcess(environment, serverProgram, wrapper)
}

/** For `{ skip: interceptedServerNeedsRoot }`. */
export const interceptedServerNeedsRoot: false | string =
  hostsNeedRoot && 'needs root, to mount other programs in place of those of the system'

/** One of the two kinds of host: its files, and the breakpoints of its programs. */
export interface PackageHost {
  readonly hostUuid: string
  /** For packages. */
  readonly folder: string
  readonly breakpoints: ProgramBreakpoints
  exec(text: string): Promise<string>
}

/** As PackageFixture, with a server that can be killed and whose programs on the hosts can be stopped. Needs root. */
export class KillablePackages extends PackageCalls {
  readonly server: ServerProcess
  readonly source: PackageSource
  readonly local: PackageHost
  /** An ssh host. */
  readonly remote: PackageHost

  private constructor(server: ServerProcess, source: PackageSource, local: PackageHost) {
    super()
    this.server = server
    this.source = source
    this.local = local
    this.remote = local
  }

  static async start(t: { after(work: () => Promise<void>): void }): Promise<KillablePackages> {
    const cleanup = reverseCleanup(t)
    const folder = packageFolder(cleanup)
    const source = await PackageSource.start(cleanup)
    const { breakpoints, programs } = await ProgramBreakpoints.onThisMachine(cleanup)
    const environment = {
      ...(await serverEnvironment(cleanup)),
      WHARF_DOWNLOAD_ALLOW: '127.0.0.0/8',
      WHARF_FILE_ROOTS: folder,
      // passed to hosts, which never call it
      WHARF_PUBLIC_URL: 'http://198.18.255.1:8080/wharf',
    }
    const server = interceptedServer(environment, programs)
    await server.start()
    cleanup.after(() => server.kill())
    const { hostUuid } = server.bootstrap
    const local = { hostUuid, folder, breakpoints, exec: (text: string) => runProgram('sh', ['-c', text]) }
    const fixture = new KillablePackages(server, source, local)
    // stopped programs keep their sessions; the default limit of a connection is ten
    const [host] = await fixture.addHosts(cleanup, 1, { sshd: ['MaxSessions 200'] })
    if (host === undefined) throw new Error('no host was started')
    const { machine, uuid } = host
    const exec = (text: string) => machine.exec(text)
    const remote = { hostUuid: uuid, folder: '/srv/wharf', breakpoints: await ProgramBreakpoints.onHost(machine), exec }
    return Object.assign(fixture, { remote })
  }

  /** Kills the server, releases the breakpoints and starts a new server. */
  async killAndStart(): Promise<void> {
    await this.waitForBreakpoints()
    await this.server.kill()
    this.release()
    await this.server.start()
  }

  async waitForBreakpoints(): Promise<void> {
    await Promise.all([this.local.breakpoints.waitUntilReached(), this.remote.breakpoints.waitUntilReached()])
  }

  release(): void {
    this.local.breakpoints.release()
    this.remote.breakpoints.release()
  }

  /** The files in the server's spool folders. */
  get spooled(): string[] {
    const data = this.server.environment.WHARF_DATA ?? ''
    return ['zips', 'uploads'].flatMap((name) => readdirSync(join(data, name)))
  }

  /** The files in this folder of the first backup storage, hidden files included. */
  async stored(folder: string): Promise<string[]> {
    const { body } = await this.admin.get('/v1/backup-storage')
    const [storage] = body.inventories as { url: string }[]
    return readdirSync(join(storage?.url.replace(/^file:\/\//, '') ?? '', folder))
  }

  async jobsOf(subjectUuid: string): Promise<{ uuid: string; state: string }[]> {
    const { body } = await this.admin.get(`/v1/api-jobs?q=subjectUuid=${subjectUuid}`)
    return body.inventories as { uuid: string; state: string }[]
  }

  /** The logs of all its jobs. */
  async logOf(subjectUuid: string): Promise<string> {
    const jobs = await this.jobsOf(subjectUuid)
    const logs = jobs.map(async ({ uuid }) => (await this.admin.get(`/v1/api-jobs/${uuid}/log`)).text)
    return (await Promise.all(logs)).join('\n')
  }

  /** Resolves when none of its jobs is active. */
  async waitUntilIdle(subjectUuid: string, withinMs = 30_000): Promise<void> {
    for (const deadline = performance.now() + withinMs; ; await delay(30)) {
      const jobs = await this.jobsOf(subjectUuid)
      if (jobs.every(({ state }) => /^(Succeeded|Failed|Cancelled)$/.test(state))) return
      if (performance.now() > deadline) throw new Error(`not ended: ${await this.logOf(subjectUuid)}`)
    }
  }
}
