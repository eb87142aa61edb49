import { readdirSync, readlinkSync } from 'node:fs'
import { runProgram, type ServerProcess } from '@wharf/testkit'
import type { ServerSite } from './server-watch.ts'

/** What the server sends to PostgreSQL. */
export const postgresSites = ({ server }: { readonly server: ServerProcess }): readonly ServerSite[] =>
  ['write', 'writev'].map((call) => {
    const paths = () => postgresSockets(server.pid)
    return { name: 'messages to PostgreSQL', by: 'main', call, error: 'ECONNRESET', paths }
  })

/** The sockets by which a process is connected to the PostgreSQL of this run, which listens at a path. */
async function postgresSockets(pid: number): Promise<string[]> {
  const own = new Set(readdirSync(`/proc/${pid}/fd`).flatMap((fd) => nameOf(`/proc/${pid}/fd/${fd}`)))
  // kind, state, two queues, then each end as a path and a number
  const lines = (await runProgram('ss', ['-xnH'])).split('\n').map((line) => line.trim().split(/\s+/))
  const peers = lines.filter(([, , , , path]) => path?.includes('.s.PGSQL.')).map((words) => `socket:[${words[7]}]`)
  return peers.filter((socket) => own.has(socket))
}

function nameOf(link: string): string[] {
  try {
    return [readlinkSync(link)]
  } catch {
    // it was closed meanwhile
    return []
  }
}
