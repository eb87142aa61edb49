import { currentOwnership } from '../../../jobs/ownership.ts'
import type { HookOptions } from '../driver.ts'
import type { Session } from './session.ts'

const maxRemoveMs = 1000

/** Sessions of ended hooks whose exit code is not recorded yet, by job and hook. */
const unrecorded = new Map<string, () => void>()

/**
 * The guard's name for a hook: a digest of its words and input, so that the same program for another purpose is another
 * hook. Users of the host can see it, and the input contains secrets. For a hook that is run again no exit code is kept.
 */
export function hookKey({ name, isRunAgain }: HookOptions, argv: readonly string[], input: string): string {
  const digest = isRunAgain ? undefined : currentOwnership()?.digest?.(JSON.stringify([name, argv, input]))
  return digest?.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 24) ?? unkept
}

/** The name, to the guard, of a hook whose exit code is not kept. */
const unkept = '+'

export const isKept = (key: string): boolean => key !== '' && key !== unkept

/** A second run of a hook by the same owner: the guard removes the exit code of the first. */
export function releaseEarlierRun(key: string): void {
  unrecorded.get(nameOf(key))?.()
}

/** The exit code stays on the host until the database has the outcome; then the guard removes it. */
export function removeWhenRecorded(session: Session, key: string): void {
  const name = nameOf(key)
  const release = (isRecorded = false): void => {
    if (unrecorded.get(name) !== release) return
    unrecorded.delete(name)
    if (isRecorded) session.stdin.end('\n\n')
    else session.stdin.destroy()
    session.closeSoon(maxRemoveMs)
  }
  unrecorded.set(name, release)
  void session.ended.then(() => release())
  const { onRecorded } = currentOwnership() ?? {}
  if (onRecorded) onRecorded(release)
  else release()
}

const nameOf = (key: string): string => `${currentOwnership()?.jobUuid ?? ''} ${key}`
