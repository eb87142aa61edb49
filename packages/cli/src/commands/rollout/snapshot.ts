import type { RolloutInventory, RolloutTargetInventory, RolloutWaveInventory } from '@wharf/sdk'

/** A rollout with its waves and hosts, as last read. */
export interface RolloutSnapshot {
  readonly rollout: RolloutInventory
  /** In their order. */
  readonly waves: readonly RolloutWaveInventory[]
  /** By uuid. */
  readonly targets: ReadonlyMap<string, RolloutTargetInventory>
}

/** As in the contract, which commands do not load before they run. */
export const stateSets: Readonly<Record<'active' | 'busy' | 'failed', readonly string[]>> = {
  active: ['AwaitingApproval', 'Scheduled', 'Running', 'Paused', 'RollingBack'],
  busy: ['Waiting', 'Transferring', 'Installing', 'Verifying'],
  failed: ['Failed', 'TimedOut', 'Unreachable', 'RollbackFailed'],
}

type WithState = { readonly state: string }

export const isActive = ({ state }: WithState): boolean => stateSets.active.includes(state)
export const isBusy = ({ state }: WithState): boolean => stateSets.busy.includes(state)
export const isFailed = ({ state }: WithState): boolean => stateSets.failed.includes(state)
export const isDone = ({ state }: WithState): boolean => ['Succeeded', 'AlreadyInstalled'].includes(state)

/** `8 of 9 hosts, 1 failed`, or how many of them have their earlier version again. */
export function describeWave(
  { state, size }: Pick<RolloutWaveInventory, 'state' | 'size'>,
  { done, failed, restored }: { done: number; failed: number; restored: number },
): string {
  const counts = state === 'RolledBack' ? `${restored} of ${size} hosts restored` : `${done} of ${size} hosts`
  return failed > 0 ? `${counts}, ${failed} failed` : counts
}

type Described = Pick<
  RolloutInventory,
  'name' | 'uuid' | 'state' | 'pauseReason' | 'pausedUntil' | 'reason' | 'startAt' | 'stopMode'
>

/** `Paused for Failures: 1 of 9 hosts of wave 2 failed` */
export function describeState({ state, pauseReason, pausedUntil, reason, stopMode }: Described): string {
  if (stopMode !== null && isActive({ state })) return `${state}, being stopped${reason === null ? '' : `: ${reason}`}`
  const paused = pauseReason === null ? '' : ` for ${pauseReason}`
  const until = pausedUntil === null ? '' : ` until ${pausedUntil}`
  return `${state}${paused}${until}${reason === null ? '' : `: ${reason}`}`
}

/** What a user can do about a rollout that waits or failed; undefined for others. */
export function nextStep({ name, uuid, state, pauseReason, startAt, stopMode }: Described): string | undefined {
  if (stopMode !== null && isActive({ state })) return undefined
  const reference = /^[\w@%+.][\w@%+.-]*$/.test(name) ? name : uuid
  const commands = (...verbs: string[]): string => `wharf rollout ${verbs.join('|')} ${reference}`
  if (state === 'AwaitingApproval') return `another user approves it: ${commands('approve')}`
  if (state === 'Scheduled' && startAt !== null) return `it starts at ${startAt}`
  if (state === 'Failed') return commands('retry', 'undo')
  if (state === 'RollbackFailed') return `${commands('undo')} tries the hosts again that could not be restored`
  if (state !== 'Paused') return undefined
  if (pauseReason === 'Promotion') return commands('promote', 'undo')
  if (pauseReason === 'Operator') return commands('resume', 'undo')
  return pauseReason === 'Window' ? undefined : commands('retry', 'resume', 'undo')
}

/** Errors contain the output of programs. */
export const onOneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ')

/** The most specific part of an error, for a line that may be cut: no code, and of the output of a hook the last line. */
export function shortError(error: string): string {
  const [first = '', ...more] = error.replace(/^[A-Za-z]+\.\d+ (the package's )?/, '').split('\n')
  const [exit] = /^.* ended with exit code \d+:/.exec(first) ?? []
  const last = exit === undefined ? undefined : more.findLast((line) => /[\p{L}\p{N}]/u.test(line))
  return last === undefined ? onOneLine([first, ...more].join('\n')) : `${exit} ${last.trim()}`
}
