import type { RolloutTargetInventory, Wharf } from '@wharf/sdk'
import type { FoundRecord } from '../../names/resolve-record.ts'
import { printable } from '../../output/printable.ts'
import { onOneLine, stateSets } from './snapshot.ts'

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
  const waveLines = waves
    .sort((a, b) => a.number - b.number)
    .map(({ number, state, succeededCount, failedCount, size }) => {
      const failures = failedCount > 0 ? `, ${failedCount} failed` : ''
      return `${number}: ${state}, ${succeededCount} of ${size} hosts${failures}`
    })
  return {
    waveStates: waveLines.join('\n'),
    ...(failed.length === 0 ? {} : { failures: failed.map(failureLine).join('\n') }),
  }
}

const failureLine = ({ hostName, state, error, jobUuid }: Partial<RolloutTargetInventory>): string =>
  printable(`${hostName} ${state}: ${onOneLine(error ?? 'no error')}${jobUuid ? ` (wharf job log ${jobUuid})` : ''}`)
