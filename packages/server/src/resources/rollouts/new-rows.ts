import { newSequentialUuid } from '@wharf/platform/ids.ts'
import type { Plan } from './planner.ts'
import type { TargetRow, WaveRow } from './store.ts'

/** Waves as they are before the first host is started. */
export const newWaves = (rolloutUuid: string, sizes: readonly number[], first: number, now: number): WaveRow[] =>
  sizes.map((size, index) => ({
    uuid: newSequentialUuid(),
    rolloutUuid,
    number: first + index,
    size,
    state: 'Pending',
    succeededCount: 0,
    failedCount: 0,
    skippedCount: 0,
    soakUntil: null,
    acceptedFailures: 0,
    gateSince: null,
    startDate: null,
    endDate: null,
    createDate: now,
    lastOpDate: now,
  }))

interface TargetOptions {
  readonly rolloutUuid: string
  readonly softwareName: string
  /** The hosts that the maintenance window restricts. */
  readonly isWindowBound: (hostUuid: string) => boolean
  readonly seal: (targetUuid: string, config: string) => Buffer
  readonly firstWave: number
  readonly now: number
}

/** Targets as they are planned; one whose configuration is not valid has failed. */
export const newTargets = (
  { targets, configs }: Pick<Plan, 'targets' | 'configs'>,
  { rolloutUuid, softwareName, isWindowBound, seal, firstWave, now }: TargetOptions,
): TargetRow[] =>
  targets.map(({ host, wave, action, fromVersion, toVersion, bytes, previousPackageUuid }, index) => {
    const uuid = newSequentialUuid()
    const config = configs?.get(host.uuid)
    const problem = config !== undefined && 'problem' in config ? config.problem : null
    return {
      uuid,
      rolloutUuid,
      hostUuid: host.uuid,
      hostName: host.name,
      softwareName,
      wave: firstWave + wave - 1,
      sequence: index,
      state: problem === null ? ('Pending' as const) : ('Failed' as const),
      action,
      phase: 'Install' as const,
      jobUuid: null,
      attempts: 0,
      error: problem === null ? null : `SYS.1007 ${problem}`.slice(0, 4096),
      fromVersion,
      toVersion,
      packageUuid: null,
      previousPackageUuid,
      isOpen: 1,
      sealedPrevious: null,
      sealedConfig: config !== undefined && 'text' in config ? seal(uuid, config.text) : null,
      bytes,
      isWindowBound: Number(isWindowBound(host.uuid)),
      isChanged: 0,
      isVerified: 0,
      retryDate: null,
      waitingSince: null,
      startDate: null,
      endDate: problem === null ? null : now,
      createDate: now,
      lastOpDate: now,
    }
  })
