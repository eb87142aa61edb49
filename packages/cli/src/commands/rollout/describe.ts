import type { RolloutTargetInventory, Wharf } from '@wharf/sdk'
import type { FoundRecord } from '../../names/resolve-record.ts'
import { printable } from '../../output/printable.ts'
import { describeWave, onOneLine, stateSets } from './snapshot.ts'

const maxFailures = 10

/** The waves and the latest failures of a rollout, for `rollout show`. */
export async function describeRollout(wharf: Wharf, { uuid }: FoundRecord): Promise<object> {
  const waves = await Array.fromAsync(wharf.rolloutWaves.all(uuid))
  const q = [`state?=${stateSets.failed.join(',')}`]
  const { inventories: failed = [] } = await wharf.rolloutTargets.query(uuid, {
    q,
    sort: '-endDate',
    limit: maxFailures,
  })
  const waveLines: string[] = []
  for (const wave of waves.sort((a, b) => a.number - b.number)) {
    const { number, state, succeededCount: done, failedCount } = wave
    const restored = state === 'RolledBack' ? await countRestored(wharf, uuid, number) : 0
    waveLines.push(`${number}: ${state}, ${describeWave(wave, { done, failed: failedCount, restored })}`)
  }
  return {
    waveStates: waveLines.join('\n'),
    ...(failed.length === 0 ? {} : { failures: failed.map(failureLine).join('\n') }),
  }
}

async function countRestored(wharf: Wharf, uuid: string, wave: number): Promise<number> {
  const q = ['state=RolledBack', `wave=${wave}`]
  return (await wharf.rolloutTargets.query(uuid, { q, count: true })).total ?? 0
}

const failureLine = ({ hostName, state, error, jobUuid }: Partial<RolloutTargetInventory>): string =>
  printable(`${hostName} ${state}: ${onOneLine(error ?? 'no error')}${jobUuid ? ` (wharf job log ${jobUuid})` : ''}`)
