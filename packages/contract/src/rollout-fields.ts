import { LabelName, labelNameRule } from './host-labels.ts'
import { Choice, Flag, Integer, List, Text, Uuid } from './schema.ts'
import { Type } from './type.ts'

/** The most hosts of one rollout. */
export const maxRolloutTargets = 50_000
export const maxWaves = 100
const secondsPerWeek = 7 * 86_400

export const rolloutDefaults = {
  waves: ['1', '10%', '100%'],
  promotion: 'automatic',
  maxParallel: 8,
  maxFailures: '0',
  unreachable: 'fail',
  targetDeadlineSeconds: 1800,
  soakSeconds: 60,
  retries: 1,
  onFailure: 'pause',
  keepVersions: 2,
} as const

const promotions = ['automatic', 'manual'] as const
const unreachablePolicies = ['fail', 'skip', 'wait'] as const
const failurePolicies = ['pause', 'rollBackWave', 'rollBackAll'] as const
export const stopModes = ['finish', 'cancel'] as const
export const rollBackScopes = ['wave', 'all'] as const

const amountPattern = '^([0-9]{1,6}|[0-9]{1,3}(\\.[0-9]{1,3})?%)$'

/** A number of hosts, or a percentage such as `10%`; numbers may be sent as text. */
export const Amount = (description: string) =>
  Type.Unsafe<string | number>({
    type: ['integer', 'string'],
    minimum: 0,
    maximum: 999_999,
    pattern: amountPattern,
    description,
  })

/** As it was sent: stored as text, and returned as a number unless it is a percentage. */
export const ShownAmount = (description: string) =>
  Type.Unsafe<string | number>({ type: ['integer', 'string'], maxLength: 16, 'x-amount': true, description })

export const selector = () =>
  List(Text(2048), {
    maxItems: 32,
    description: 'Conditions on hosts, as in q, such as labels.role=web; hosts match all of them',
  })
export const waves =
  'The waves as cumulative numbers or percentages of the hosts, rounded up; the last wave contains all hosts'
export const promotion = () =>
  Choice(promotions, { description: 'manual waits for promoteRollout after each wave but the last' })
export const maxParallel = () =>
  Integer(1, 1000, { description: 'The number of hosts that are worked on at the same time, on all nodes together' })
export const maxFailures = 'The failed hosts that a wave may have, as a number or as a percentage of its size'
export const unreachable = () =>
  Choice(unreachablePolicies, {
    description:
      'What happens to a host that is disconnected or disabled: it fails, is skipped, or is waited for until targetDeadlineSeconds',
  })
export const targetDeadlineSeconds = () =>
  Integer(1, secondsPerWeek, { description: 'After this time the job of a host is cancelled and undone' })
export const soakSeconds = () =>
  Integer(0, secondsPerWeek, {
    description:
      'The pause after the last host of a wave, after which every host of the wave is verified again; 0: neither',
  })
export const alertPlatformUuids = () =>
  List(Uuid(), {
    maxItems: 100,
    description: 'Alert platforms; an alert of theirs that starts to fire after the wave has started fails its gate',
  })
export const retries = () =>
  Integer(0, 10, {
    description: 'How often a host is tried again after a lost connection, a timeout or the loss of a node, 30 s apart',
  })
export const onFailure = () =>
  Choice(failurePolicies, { description: 'What happens when a wave has too many failures, or its gate fails' })
export const dynamic = () =>
  Flag({ description: 'Hosts that match the selector later join at the end; the rollout is open until it is stopped' })
export const keepVersions = () =>
  Integer(1, 10, { description: 'The versions of the software that are kept on each host, the installed one included' })
export const spreadByDescription = 'A label of hosts; the hosts of each of its values are spread evenly over the waves'
export const spreadBy = () => LabelName(`${spreadByDescription} (${labelNameRule})`)
