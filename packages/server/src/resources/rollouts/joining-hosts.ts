import { isInScope } from '@wharf/contract'
import type { Database } from '@wharf/database/database.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import { canWorkOn, type SelectedHost } from '../hosts/service.ts'
import type { AccountService } from '../identity/accounts/service.ts'
import type { ReleaseService } from '../releases/service.ts'
import { newTargets, newWaves } from './new-rows.ts'
import { unreachableReason } from './plan.ts'
import type { Planner } from './planner.ts'
import type { RolloutRecords } from './rollout-records.ts'
import type { SealedConfigs } from './sealed-config.ts'
import type { RolloutStore } from './store.ts'
import type { WindowBinding } from './window-binding.ts'

interface JoiningHostsDeps {
  readonly database: Database
  readonly clock: Clock
  readonly store: RolloutStore
  readonly records: RolloutRecords
  readonly planner: Planner
  readonly releases: ReleaseService
  readonly configs: SealedConfigs
  readonly accounts: Pick<AccountService, 'currentUser'>
  readonly windowBinding: WindowBinding
}

/** Hosts that match the selector of a dynamic rollout later become a wave of their own at its end. */
export class JoiningHosts {
  readonly #deps: JoiningHostsDeps

  constructor(deps: JoiningHostsDeps) {
    this.#deps = deps
  }

  async add(rolloutUuid: string): Promise<void> {
    const { database, clock, store, records, planner, releases, configs, windowBinding } = this.#deps
    const before = await records.find(rolloutUuid)
    if (before?.state !== 'Running') return
    const plan = await planner.plan({
      selector: JSON.parse(before.selector) as string[],
      waves: ['100%'],
      spreadBy: before.spreadBy,
      config: configs.openTemplate(before),
      release: await releases.get(before.releaseUuid),
      except: await store.listHostUuids(rolloutUuid),
    })
    const busy = new Set(plan.open.map(({ hostUuid }) => hostUuid))
    // a host that is being added, or cannot be reached, joins when it is connected
    const free = plan.targets.filter(({ host }) => !busy.has(host.uuid) && unreachableReason(host) === undefined)
    if (free.length === 0) return
    const isWindowBound = await windowBinding(before.windowUuid)
    await database.transaction(async (tx) => {
      const rollout = await store.lock(tx, rolloutUuid)
      if (rollout?.state !== 'Running' || rollout.stopMode !== null) return
      const { role, scope } = await this.#deps.accounts.currentUser(tx, rollout.userUuid)
      const isInside = ({ labels }: SelectedHost) => scope === undefined || isInScope(scope.conditions, labels)
      const targets = free.filter(({ host }) => canWorkOn(host, { role }) && isInside(host))
      if (targets.length === 0) return
      const now = clock.now()
      const number = ((await store.listWaves(tx, rolloutUuid)).at(-1)?.number ?? 0) + 1
      const rows = newTargets(
        { targets, configs: plan.configs },
        {
          rolloutUuid,
          softwareName: rollout.softwareName,
          isWindowBound,
          seal: (target, text) => configs.sealRendered(target, text),
          firstWave: number,
          now,
        },
      )
      const inserted = await records.addTargets(tx, rows)
      if (inserted.size === 0) return
      await records.addWaves(tx, newWaves(rolloutUuid, [inserted.size], number, now))
      await records.update(tx, rolloutUuid, { targetCount: rollout.targetCount + inserted.size })
      records.reportProgress(tx, rolloutUuid)
    })
  }
}
