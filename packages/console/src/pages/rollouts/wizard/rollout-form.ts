import { rolloutDefaults } from '@wharf/contract'
import { linesOf } from '../../../components/condition-lines.ts'
import type { TimeZoneChoice } from '../../../i18n/time-zone.ts'
import { conditionsOfLabels, type LabelCondition } from './label-conditions.ts'

export type HostChoice = 'labels' | 'conditions' | 'all' | 'hosts'

/** The fields as typed. */
export interface RolloutForm {
  readonly name: string
  readonly releaseUuid: string
  readonly hostChoice: HostChoice
  readonly labels: readonly LabelCondition[]
  /** One condition per line. */
  readonly conditions: string
  readonly hostUuids: readonly string[]
  readonly waves: string
  readonly spreadBy: string
  readonly promotion: 'automatic' | 'manual'
  readonly maxParallel: string
  readonly maxFailures: string
  readonly unreachable: 'fail' | 'skip' | 'wait'
  readonly targetDeadlineSeconds: string
  readonly soakSeconds: string
  readonly alertPlatformUuids: readonly string[]
  readonly retries: string
  readonly onFailure: 'pause' | 'rollBackWave' | 'rollBackAll'
  readonly dynamic: boolean
  readonly startDate: string
  readonly startTime: string
  readonly windowUuid: string
  readonly requiresApproval: boolean
  readonly keepVersions: string
  /** By the fields of the schema of the release; undefined keeps the configuration of installed versions. */
  readonly config: unknown
  /** Of a release without a schema: JSON. */
  readonly configText: string
}

export const newRollout: RolloutForm = {
  name: '',
  releaseUuid: '',
  hostChoice: 'labels',
  labels: [{ name: '', operator: '=', value: '' }],
  conditions: '',
  hostUuids: [],
  waves: rolloutDefaults.waves.join(', '),
  spreadBy: '',
  promotion: rolloutDefaults.promotion,
  maxParallel: String(rolloutDefaults.maxParallel),
  maxFailures: rolloutDefaults.maxFailures,
  unreachable: rolloutDefaults.unreachable,
  targetDeadlineSeconds: String(rolloutDefaults.targetDeadlineSeconds),
  soakSeconds: String(rolloutDefaults.soakSeconds),
  alertPlatformUuids: [],
  retries: String(rolloutDefaults.retries),
  onFailure: rolloutDefaults.onFailure,
  dynamic: false,
  startDate: '',
  startTime: '',
  windowUuid: '',
  requiresApproval: false,
  keepVersions: String(rolloutDefaults.keepVersions),
  config: undefined,
  configText: '',
}

/** The conditions that select hosts; undefined for chosen hosts and while none is complete. */
export function selectorOf(form: Pick<RolloutForm, 'hostChoice' | 'labels' | 'conditions'>): string[] | undefined {
  const { hostChoice, labels, conditions } = form
  if (hostChoice === 'hosts') return undefined
  if (hostChoice === 'all') return ['name is not null']
  const all = hostChoice === 'labels' ? conditionsOfLabels(labels) : linesOf(conditions)
  return all.length === 0 ? undefined : all
}

/** `1, 10%, 100%` */
export const wavesIn = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

/** Without a suffix, the time is in the zone of the browser. */
export function startOf(
  { startDate, startTime }: Pick<RolloutForm, 'startDate' | 'startTime'>,
  zone: TimeZoneChoice,
): Date | undefined {
  if (startDate === '') return undefined
  return new Date(`${startDate}T${startTime || '00:00'}${zone === 'utc' ? 'Z' : ''}`)
}

/** The input of the call. Fields with their defaults are sent too, so that a copied command is complete. */
export function rolloutInput(form: RolloutForm, config: object | undefined, zone: TimeZoneChoice) {
  const selector = selectorOf(form)
  const startAt = startOf(form, zone)
  return {
    name: form.name.trim(),
    releaseUuid: form.releaseUuid,
    ...(form.hostChoice === 'hosts' ? { hostUuids: [...form.hostUuids] } : { selector: selector ?? [] }),
    ...(config && { config: config as Record<string, unknown> }),
    waves: wavesIn(form.waves),
    ...(form.spreadBy.trim() === '' ? {} : { spreadBy: form.spreadBy.trim() }),
    promotion: form.promotion,
    maxParallel: Number(form.maxParallel),
    maxFailures: form.maxFailures.trim(),
    unreachable: form.unreachable,
    targetDeadlineSeconds: Number(form.targetDeadlineSeconds),
    soakSeconds: Number(form.soakSeconds),
    ...(form.alertPlatformUuids.length === 0 ? {} : { alertPlatformUuids: [...form.alertPlatformUuids] }),
    retries: Number(form.retries),
    onFailure: form.onFailure,
    ...(form.dynamic && form.hostChoice !== 'hosts' ? { dynamic: true } : {}),
    ...(startAt ? { startAt: startAt.toISOString() } : {}),
    ...(form.windowUuid === '' ? {} : { windowUuid: form.windowUuid }),
    ...(form.requiresApproval ? { requiresApproval: true } : {}),
    keepVersions: Number(form.keepVersions),
  }
}
