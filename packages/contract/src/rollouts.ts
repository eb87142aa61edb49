import type { TProperties } from 'typebox'
import { type Inventory, operation } from './operation.ts'
import { queryFields, queryOperations } from './query.ts'
import {
  Amount,
  alertPlatformUuids,
  dynamic,
  keepVersions,
  maxFailures,
  maxParallel,
  maxRolloutTargets,
  maxWaves,
  onFailure,
  promotion,
  retries,
  selector,
  soakSeconds,
  spreadBy,
  targetDeadlineSeconds,
  unreachable,
  waves,
} from './rollout-fields.ts'
import { RolloutInventory, RolloutPlanEntry, RolloutTargetInventory, RolloutWaveInventory } from './rollout-records.ts'
import { Flag, List, Long, Name, optional, orNull, Text, Uuid } from './schema.ts'
import { creationFields, deletionFields, timeText } from './shared-fields.ts'
import { Type } from './type.ts'

const since = 'wharf-1.1.0'
const resource = 'rollouts'
const path = '/v1/rollouts'

const plan = () =>
  List(RolloutPlanEntry.schema, { maxItems: maxRolloutTargets, description: 'One entry for each host' })

export const createRollout = operation({
  name: 'CreateRollout',
  client: 'rollouts.create',
  resource,
  method: 'POST',
  path,
  structure: 'params',
  summary: 'Roll a release out to hosts in waves, or with dryRun plan it without any effect',
  since,
  permission: 'operate',
  hostFields: { selector: 'selector' },
  fields: {
    name: Name(),
    releaseUuid: Text(512, {
      minLength: 1,
      description: 'The uuid of a release, name@version, or name@latest for the latest Published one',
    }),
    selector: optional(selector()),
    hostUuids: optional(List(Uuid(), { maxItems: 10_000, description: 'The hosts, instead of a selector' })),
    config: optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        writeOnly: true,
        description:
          'The configuration for the installer; its strings are Liquid templates over host: name, address, hostName, architecture and labels',
      }),
    ),
    waves: optional(List(Amount('A number or a percentage'), { maxItems: maxWaves, description: waves })),
    spreadBy: optional(spreadBy()),
    promotion: optional(promotion()),
    maxParallel: optional(maxParallel()),
    maxFailures: optional(Amount(maxFailures)),
    unreachable: optional(unreachable()),
    targetDeadlineSeconds: optional(targetDeadlineSeconds()),
    soakSeconds: optional(soakSeconds()),
    alertPlatformUuids: optional(alertPlatformUuids()),
    retries: optional(retries()),
    onFailure: optional(onFailure()),
    dynamic: optional(dynamic()),
    startAt: optional(timeText('When it starts; defaults to now')),
    windowUuid: optional(Uuid({ description: 'The maintenance window that it observes' })),
    ignoreWindow: optional(Flag({ description: 'Work outside the window too; requires the role admin' })),
    requiresApproval: optional(Flag({ description: 'It starts after another user has approved it' })),
    keepVersions: optional(keepVersions()),
    dryRun: optional(Flag({ description: 'Return the plan and write nothing' })),
    ...creationFields,
  },
  answer: {
    inventory: orNull(RolloutInventory.schema),
    plan: optional(plan()),
  },
  errors: ['SYS.1002', 'SYS.1003', 'SYS.1005', 'SYS.1006', 'SoftwarePackage.1132'],
})

export const { query: queryRollout, get: getRollout } = queryOperations({
  resource,
  noun: 'Rollout',
  client: 'rollouts',
  plural: 'rollouts',
  path,
  inventory: RolloutInventory,
})

export const getRolloutPlan = operation({
  name: 'GetRolloutPlan',
  client: 'rollouts.getPlan',
  resource,
  method: 'GET',
  path: `${path}/{uuid}/plan`,
  summary: 'Get the plan of a rollout: each host with its wave, what is done with it and what blocks it now',
  since,
  permission: 'read',
  fields: {},
  answer: { plan: plan() },
  errors: ['SYS.1003'],
})

const parts = <P extends TProperties>(records: Inventory<P>) => ({
  inventories: optional(
    List(Type.Partial(records.schema, { title: records.name, additionalProperties: false }), { maxItems: 10_000 }),
  ),
  total: optional(Long({ description: 'The number of matching records, with count or replyWithCount' })),
})

export const queryRolloutWave = operation({
  name: 'QueryRolloutWave',
  client: 'rolloutWaves.query',
  resource,
  method: 'GET',
  path: `${path}/{uuid}/waves`,
  summary: 'Query the waves of a rollout',
  since,
  permission: 'read',
  queries: RolloutWaveInventory,
  fields: queryFields,
  answer: parts(RolloutWaveInventory),
  errors: ['SYS.1001', 'SYS.1003'],
})

export const queryRolloutTarget = operation({
  name: 'QueryRolloutTarget',
  client: 'rolloutTargets.query',
  resource,
  method: 'GET',
  path: `${path}/{uuid}/targets`,
  summary: 'Query the targets of a rollout: its hosts with their states',
  since,
  permission: 'read',
  queries: RolloutTargetInventory,
  fields: queryFields,
  answer: parts(RolloutTargetInventory),
  errors: ['SYS.1001', 'SYS.1003'],
})

export const deleteRollout = operation({
  name: 'DeleteRollout',
  client: 'rollouts.delete',
  resource,
  method: 'DELETE',
  path: `${path}/{uuid}`,
  summary: 'Delete the record of a rollout that has ended; hosts are not changed',
  since,
  permission: 'operate',
  fields: deletionFields,
  answer: {},
  errors: ['SYS.1003', 'SYS.1005'],
})
