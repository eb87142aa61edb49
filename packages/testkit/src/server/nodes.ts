import { dirname, join } from 'node:path'
import { Client } from '../calls/client.ts'
import { reverseCleanup } from '../reverse-cleanup.ts'
import { serverEnvironment, TestServer, type TestServerOptions } from './server.ts'

interface Cleanup {
  after(work: () => Promise<void>): void
}

/** Several management nodes in this process, on one database; of PostgreSQL, since only that can be shared. */
export class TestNodes {
  readonly servers: readonly TestServer[]
  /** The first admin, at each of the nodes. */
  readonly admins: readonly Client[]

  private constructor(servers: readonly TestServer[]) {
    this.servers = servers
    const { credential } = (servers[0] as TestServer).admin
    this.admins = servers.map(({ url }) => new Client(url, credential))
  }

  /** `each`: what one node has and the others have not. */
  static async start(t: Cleanup, count: number, each: readonly TestServerOptions[] = []): Promise<TestNodes> {
    const cleanup = reverseCleanup(t)
    const environments = await nodeEnvironments(cleanup, count)
    const servers: TestServer[] = []
    for (const [at, environment] of environments.entries()) {
      const server = await TestServer.open({ ...environment, ...each[at]?.environment }, each[at])
      servers.push(server)
      cleanup.after(() => server.app.close())
    }
    return new TestNodes(servers)
  }
}

/** One each, with data folders of their own. */
export async function nodeEnvironments(t: Cleanup, count: number): Promise<Record<string, string>[]> {
  const environment = await serverEnvironment(t)
  const folder = dirname(environment.WHARF_DATA ?? '')
  return Array.from({ length: count }, (_, at) => ({ ...environment, WHARF_DATA: join(folder, `node-${at + 1}`) }))
}
