import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { hostsNeedRoot } from '@wharf/testkit'
import type { Figure } from './measure.ts'
import type { HostBenchResult } from './simulated-hosts/measure-hosts.ts'

const inside = fileURLToPath(new URL('./simulated-hosts/measure-hosts.ts', import.meta.url))

/**
 * A server with a thousand hosts, each reached by ssh: all in a network namespace in which one sshd answers for
 * every address. HOSTS=100 makes it smaller.
 */
export async function hosts(): Promise<Figure[]> {
  if (hostsNeedRoot) throw new Error(hostsNeedRoot)
  const child = fork(inside, { execPath: 'unshare', execArgv: ['--net', process.execPath] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the bench of a thousand hosts ended with exit code ${code}`)
  })
  const [result] = (await Promise.race([once(child, 'message'), ended])) as [HostBenchResult]
  await ended.catch(() => {})
  if ('why' in result) throw new Error(result.why)
  return [...result.figures]
}
