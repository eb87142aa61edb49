import type { Clock } from '@wharf/platform/clock.ts'
import type { Log } from '@wharf/platform/log.ts'
import type { Sealing } from '@wharf/platform/sealing.ts'
import type { SystemEventRecorder } from '../../events/system-event.ts'
import type { JobService } from '../../jobs/service.ts'
import type { RecordDeps } from '../../records/records.ts'
import type { AlertPlatformService } from '../alerts/service.ts'
import type { HostService } from '../hosts/service.ts'
import type { AccountService } from '../identity/accounts/service.ts'
import type { MaintenanceWindowService } from '../maintenance-windows/service.ts'
import type { ReleaseService } from '../releases/service.ts'
import type { SoftwarePackageService } from '../software-packages/service.ts'
import type { PackageUpgrades } from '../software-packages/upgrades/service.ts'
import { ConfigRenderer } from './config-renderer.ts'
import { Coordinator, type CoordinatorLimits } from './coordinator.ts'
import { JoiningHosts } from './joining-hosts.ts'
import { Planner } from './planner.ts'
import { RolloutRecords } from './rollout-records.ts'
import { SealedConfigs } from './sealed-config.ts'
import { RolloutService } from './service.ts'
import { RolloutStore } from './store.ts'
import { TargetEnd } from './target-end.ts'
import { TargetJobs } from './target-jobs.ts'
import { makeWindowBinding } from './window-binding.ts'

interface RolloutServicesDeps extends RecordDeps {
  readonly clock: Clock
  readonly log: Log
  readonly sealing: Sealing
  readonly jobs: JobService
  readonly hosts: HostService
  readonly packages: SoftwarePackageService
  readonly upgrades: PackageUpgrades
  readonly releases: ReleaseService
  readonly windows: MaintenanceWindowService
  readonly platforms: AlertPlatformService
  readonly accounts: AccountService
  readonly settings: { readonly timezone: string }
  readonly systemEvents: SystemEventRecorder
}

/** The parts of rollouts, connected. */
export function createRolloutServices(deps: RolloutServicesDeps, limits?: Partial<CoordinatorLimits>) {
  const store = new RolloutStore(deps.database)
  const records = new RolloutRecords({ ...deps, store })
  const renderer = new ConfigRenderer()
  const configs = new SealedConfigs(deps.sealing)
  const planner = new Planner({ ...deps, store, configs: renderer })
  const windowBinding = makeWindowBinding(deps)
  const ends = new TargetEnd({ ...deps, store, records })
  const targetJobs = new TargetJobs({ ...deps, configs, ends })
  const joining = new JoiningHosts({ ...deps, store, records, planner, configs, windowBinding })
  const rollouts = new RolloutService({ ...deps, store, records, planner, configs, windowBinding })
  const addHosts = (rolloutUuid: string) => joining.add(rolloutUuid)
  const coordinator = new Coordinator({ ...deps, store, records, targetJobs, addHosts }, limits)
  deps.releases.addUser(async (tx, uuid) => {
    const user = await store.findOfRelease(tx, uuid)
    return user && { uuid: user.uuid, text: `rollout ${user.name}` }
  })
  deps.windows.addUser(async (tx, uuid) => {
    const user = await store.findActive(tx, 'windowUuid', uuid)
    return user && { uuid: user.uuid, text: `rollout ${user.name}` }
  })
  return { rollouts, records, coordinator, renderer, targetJobs, store }
}
