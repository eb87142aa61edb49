import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { hostsNeedRoot } from '@wharf/testkit'
import type { Figure } from './measure.ts'
import type { Told } from './simulated-hosts/inside.ts'

const inside = fileURLToPath(new URL('./simulated-hosts/inside.ts', import.meta.url))

/**
 * A server that looks after a thousand hosts, each of them really reached by ssh: all in a network of their own, in
 * which one sshd answers for every address. HOSTS=100 makes it smaller.
 */
export async function hosts(): Promise<Figure[]> {
  if (hostsNeedRoot) throw new Error(hostsNeedRoot)
  const child = fork(inside, { execPath: 'unshare', execArgv: ['--net', process.execPath] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the bench of a thousand hosts ended with exit code ${code}`)
  })
  const [told] = (await Promise.race([once(child, 'message'), ended])) as [Told]
  await ended.catch(() => {})
  if ('why' in told) throw new Error(told.why)
  return [...told.figures]
}
