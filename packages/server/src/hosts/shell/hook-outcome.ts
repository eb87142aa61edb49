import { hash, randomBytes } from 'node:crypto'
import { presentOwnership } from '../../jobs/ownership.ts'
import type { HookOptions } from '../driver.ts'
import type { Session } from './session.ts'

const maxRemoveMs = 1000

/** Sessions of hooks that have ended and whose exit code is not recorded yet, by job and hook. */
const waiting = new Map<string, () => void>()

/**
 * What the guard calls a hook: its words and input, so that the same program for another purpose is another hook. One whose
 * output matters gets a new name each time: an exit code alone is no use to the next owner.
 */
export const hookKey = ({ name, needsOutput }: HookOptions, argv: readonly string[], input: string): string =>
  needsOutput ? randomBytes(12).toString('hex') : hash('sha256', JSON.stringify([name, argv, input])).slice(0, 24)

/** A second run of a hook by the same owner: the guard removes the exit code of the first. */
export function releaseFormer(key: string): void {
  waiting.get(nameOf(key))?.()
}

/** The exit code stays on the host until the database has the outcome; then the guard removes it. */
export function removeWhenRecorded(session: Session, key: string): void {
  const name = nameOf(key)
  const release = (isRecorded = false): void => {
    if (waiting.get(name) !== release) return
    waiting.delete(name)
    if (isRecorded) session.stdin.end('\n\n')
    else session.stdin.destroy()
    session.letGo(maxRemoveMs)
  }
  waiting.set(name, release)
  void session.ended.then(() => release())
  const { onRecorded } = presentOwnership() ?? {}
  if (onRecorded) onRecorded(release)
  else release()
}

const nameOf = (key: string): string => `${presentOwnership()?.jobUuid ?? ''} ${key}`
