import { type createRollout, type FieldsOf, rolloutDefaults } from '@wharf/contract'
import { ApiError, invalid } from '@wharf/platform/api-error.ts'
import type { Caller } from '../../calls/caller.ts'
import { readTime } from '../../calls/read-period.ts'
import type { RolloutRow } from './store.ts'
import { amountText, checkMaxFailures, checkWaves } from './wave-sizes.ts'

export type RolloutFields = FieldsOf<typeof createRollout>

/** The columns of a rollout that its creator chooses. */
export type ChosenColumns = Pick<
  RolloutRow,
  | 'name'
  | 'selector'
  | 'waves'
  | 'spreadBy'
  | 'promotion'
  | 'maxParallel'
  | 'maxFailures'
  | 'unreachable'
  | 'targetDeadlineSeconds'
  | 'soakSeconds'
  | 'alertPlatformUuids'
  | 'retries'
  | 'onFailure'
  | 'dynamic'
  | 'startAt'
  | 'windowUuid'
  | 'ignoreWindow'
  | 'requiresApproval'
  | 'keepVersions'
>

/** Fields with their defaults; refuses those that contradict each other. */
export function readRolloutFields(fields: RolloutFields, caller: Caller, timeZone: string): ChosenColumns {
  const { selector, hostUuids, dynamic = false, startAt } = fields
  const waves = (fields.waves ?? rolloutDefaults.waves).map(amountText)
  const maxFailures = amountText(fields.maxFailures ?? rolloutDefaults.maxFailures)
  checkWaves(waves)
  checkMaxFailures(maxFailures)
  if ((selector === undefined) === (hostUuids === undefined))
    throw invalid('params must have either selector or hostUuids, to name the hosts')
  if (selector?.length === 0)
    throw invalid('params.selector must have at least one condition; to roll out to all hosts, use name is not null')
  if (hostUuids?.length === 0) throw invalid('params.hostUuids must name at least one host')
  if (dynamic && selector === undefined)
    throw invalid('params.dynamic needs a selector, which hosts can match later; hostUuids names the hosts')
  requireIgnoreWindow(caller, fields.ignoreWindow)
  return {
    name: fields.name,
    selector: JSON.stringify(selector ?? []),
    waves: JSON.stringify(waves),
    spreadBy: fields.spreadBy ?? null,
    promotion: fields.promotion ?? rolloutDefaults.promotion,
    maxParallel: fields.maxParallel ?? rolloutDefaults.maxParallel,
    maxFailures,
    unreachable: fields.unreachable ?? rolloutDefaults.unreachable,
    targetDeadlineSeconds: fields.targetDeadlineSeconds ?? rolloutDefaults.targetDeadlineSeconds,
    soakSeconds: fields.soakSeconds ?? rolloutDefaults.soakSeconds,
    alertPlatformUuids: JSON.stringify([...new Set(fields.alertPlatformUuids)]),
    retries: fields.retries ?? rolloutDefaults.retries,
    onFailure: fields.onFailure ?? rolloutDefaults.onFailure,
    dynamic: Number(dynamic),
    startAt: startAt === undefined ? null : readTime('params.startAt', startAt, timeZone),
    windowUuid: fields.windowUuid ?? null,
    ignoreWindow: Number(fields.ignoreWindow ?? false),
    requiresApproval: Number(fields.requiresApproval ?? false),
    keepVersions: fields.keepVersions ?? rolloutDefaults.keepVersions,
  }
}

export function requireIgnoreWindow({ role }: Caller, ignoreWindow: boolean | undefined): void {
  if (ignoreWindow === true && role !== 'admin')
    throw new ApiError('ID.1002', `ignoreWindow requires the role admin, not ${role}`)
}
