import {
  approveRollout,
  createRollout,
  deleteRollout,
  denyRollout,
  getRollout,
  getRolloutPlan,
  type Operation,
  pauseRollout,
  promoteRollout,
  queryRollout,
  queryRolloutTarget,
  queryRolloutWave,
  RolloutTargetInventory,
  RolloutWaveInventory,
  resumeRollout,
  retryRollout,
  rollBackRollout,
  stopRollout,
} from '@wharf/contract'
import type { Tx } from '@wharf/database/database.ts'
import { collection } from '@wharf/database/query.ts'
import { type Binding, handle } from '../../calls/bind.ts'
import type { Call } from '../../calls/call-context.ts'
import { callerOf, type Queries, queryBindings } from '../../calls/query-bindings.ts'
import type { TagService } from '../tags/service.ts'
import { type RolloutRecords, resourceType } from './rollout-records.ts'
import type { RolloutService } from './service.ts'
import type { RolloutRow } from './store.ts'

export function rolloutOperations(deps: {
  queries: Queries
  rollouts: RolloutService
  records: RolloutRecords
  tags: TagService
}): Binding[] {
  const { queries, rollouts, records, tags } = deps
  const act =
    (work: (tx: Tx, uuid: string) => Promise<RolloutRow>) =>
    ({ path, commit }: Pick<Call<typeof pauseRollout>, 'path' | 'commit'>) =>
      commit(async (tx) => ({ inventory: shown(await work(tx, path.uuid)) }))
  return [
    handle(createRollout, async (call) => {
      const prepared = await rollouts.prepare(call)
      const { fields, commit } = call
      if (fields.dryRun === true) {
        call.changesNothing()
        return {
          inventory: null,
          plan: prepared.plan.targets.map(({ host, previousPackageUuid: _, ...entry }) => ({
            ...entry,
            hostUuid: host.uuid,
            hostName: host.name,
          })),
        }
      }
      return commit(async (tx) => {
        const row = await rollouts.create(tx, call, prepared)
        await tags.attach(tx, { resourceUuid: row.uuid, resourceType, tags: call.tags, tagUuids: fields.tagUuids })
        return { inventory: shown(row) }
      })
    }),
    ...queryBindings(queries, queryRollout, getRollout),
    handle(getRolloutPlan, async ({ path }) => ({ plan: await rollouts.plan(path.uuid) })),
    partsBinding(queries, records, queryRolloutWave, waves, 'number'),
    partsBinding(queries, records, queryRolloutTarget, targets, 'wave'),
    handle(approveRollout, (call) => act((tx, uuid) => rollouts.approve(tx, uuid, call.caller))(call)),
    handle(denyRollout, (call) => act((tx, uuid) => rollouts.deny(tx, uuid, call.caller))(call)),
    handle(pauseRollout, (call) => act((tx, uuid) => rollouts.pause(tx, uuid, call.caller))(call)),
    handle(resumeRollout, (call) =>
      act((tx, uuid) => rollouts.resume(tx, uuid, call.caller, call.fields.ignoreWindow ?? false))(call),
    ),
    handle(
      promoteRollout,
      act((tx, uuid) => rollouts.promote(tx, uuid)),
    ),
    handle(
      retryRollout,
      act((tx, uuid) => rollouts.retry(tx, uuid)),
    ),
    handle(stopRollout, (call) =>
      act((tx, uuid) => rollouts.stop(tx, uuid, call.caller, call.fields.running ?? 'finish'))(call),
    ),
    handle(rollBackRollout, (call) =>
      act((tx, uuid) => rollouts.rollBack(tx, uuid, call.caller, call.fields.scope ?? 'all'))(call),
    ),
    handle(deleteRollout, ({ path, commit }) =>
      commit(async (tx) => {
        await rollouts.remove(tx, path.uuid)
        await tags.detachAll(tx, path.uuid)
        return {}
      }),
    ),
  ]
}

const waves = collection(RolloutWaveInventory)
const targets = collection(RolloutTargetInventory)

/** The waves or targets of one rollout. */
const partsBinding = (
  { database, timezone }: Queries,
  rollouts: RolloutRecords,
  operation: Operation,
  parts: typeof waves,
  /** The default order. */
  sort: string,
): Binding => ({
  operation,
  handler: async (call) => {
    const { uuid = '' } = call.path as { uuid?: string }
    const input = { sort, ...(call.fields as object), timeZone: timezone, ...callerOf(call) }
    const page = await parts.query(database, input, { rolloutUuid: uuid })
    // an invalid condition is reported first, as for every collection
    await rollouts.get(uuid)
    return page
  },
})

const list = (json: string): string[] => JSON.parse(json) as string[]

const shown = (row: RolloutRow) => ({
  ...row,
  selector: list(row.selector),
  waves: list(row.waves),
  alertPlatformUuids: list(row.alertPlatformUuids),
  dynamic: row.dynamic === 1,
  ignoreWindow: row.ignoreWindow === 1,
  requiresApproval: row.requiresApproval === 1,
})
