import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { hostsNeedRoot } from '@wharf/testkit'
import type { Figure } from '../measure.ts'

/** The message to the bench. */
type Result = { readonly figures: readonly Figure[] } | { readonly why: string }

/** The figures of a program of this folder, which runs in a network namespace of its own. */
export async function measureInOwnNetwork(program: string): Promise<Figure[]> {
  if (hostsNeedRoot) throw new Error(hostsNeedRoot)
  const path = fileURLToPath(new URL(program, import.meta.url))
  const child = fork(path, { execPath: 'unshare', execArgv: ['--net', process.execPath] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} ended with exit code ${code}`)
  })
  const [result] = (await Promise.race([once(child, 'message'), ended])) as [Result]
  await ended.catch(() => {})
  if ('why' in result) throw new Error(result.why)
  return [...result.figures]
}

/** Called by that program. */
export async function sendFigures(measure: () => Promise<readonly Figure[]>): Promise<void> {
  const result = await measure().then(
    (figures): Result => ({ figures }),
    (error: unknown): Result => ({ why: error instanceof Error ? error.message : String(error) }),
  )
  process.send?.(result)
  process.disconnect?.()
}
