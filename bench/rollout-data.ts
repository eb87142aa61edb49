import { DatabaseSync } from 'node:sqlite'
import { maxRolloutTargets } from '@wharf/contract'
import { insertRows } from './insert-rows.ts'

const began = Date.UTC(2026, 0, 1)
const waves = 10

/** Of the first rollout. */
export const rolloutUuid = uuidOf('a', 0)

/** Finished rollouts with so many targets together, as many in each as it may have. */
export function fillRolloutTargets(file: string, count: number): void {
  const database = new DatabaseSync(file)
  database.exec('begin')
  insertRows(database, 'rollouts', rolloutsOf(count))
  insertRows(database, 'rolloutTargets', targetsOf(count))
  database.exec('commit')
  database.close()
}

/** The first digits differ, as those of a real one do. */
function uuidOf(kind: string, index: number): string {
  const digits = index.toString(16).padStart(8, '0')
  return `${[...digits].reverse().join('')}${digits}${kind.repeat(16)}`
}

const rolloutsOf = (count: number) =>
  Iterator.from(Array(Math.ceil(count / maxRolloutTargets)).keys()).map((index) => ({
    uuid: uuidOf('a', index),
    name: `rollout-${index}`,
    releaseUuid: uuidOf('b', index),
    softwareName: 'demo',
    version: '1.0.0',
    state: 'Failed',
    selector: '[]',
    waves: '[]',
    promotion: 'automatic',
    maxParallel: 10,
    maxFailures: '0',
    unreachable: 'fail',
    targetDeadlineSeconds: 600,
    soakSeconds: 0,
    alertPlatformUuids: '[]',
    retries: 0,
    onFailure: 'pause',
    dynamic: 0,
    ignoreWindow: 0,
    requiresApproval: 0,
    keepVersions: 2,
    targetCount: Math.min(count - index * maxRolloutTargets, maxRolloutTargets),
    succeededCount: 0,
    failedCount: 0,
    skippedCount: 0,
    accountUuid: uuidOf('c', 0),
    userUuid: uuidOf('c', 0),
    userName: 'admin',
    sealedConfig: new Uint8Array(),
    isRollBackAutomatic: 0,
    createDate: began + index,
    lastOpDate: began + index,
  }))

const targetsOf = (count: number) =>
  Iterator.from(Array(count).keys()).map((index) => {
    const sequence = index % maxRolloutTargets
    const size = Math.min(count, maxRolloutTargets)
    return {
      uuid: uuidOf('d', index),
      rolloutUuid: uuidOf('a', Math.floor(index / maxRolloutTargets)),
      hostUuid: uuidOf('e', sequence),
      hostName: `host-${sequence}`,
      softwareName: 'demo',
      wave: 1 + Math.floor((sequence / size) * waves),
      sequence,
      state: index % 10 === 0 ? 'Failed' : 'Succeeded',
      action: 'Install',
      phase: 'Install',
      attempts: 1,
      toVersion: '1.0.0',
      isOpen: 0,
      bytes: 1000,
      isWindowBound: 0,
      isChanged: 1,
      isVerified: 1,
      createDate: began + index,
      lastOpDate: began + index,
    }
  })
