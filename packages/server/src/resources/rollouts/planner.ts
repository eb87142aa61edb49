import type { JsonSchema } from '@wharf/archives/config-check.ts'
import { compareVersions, maxRolloutTargets } from '@wharf/contract'
import { invalid, notFound } from '@wharf/platform/api-error.ts'
import type { HostService, SelectedHost } from '../hosts/service.ts'
import type { ReleaseRow } from '../releases/service.ts'
import type { SoftwarePackageService } from '../software-packages/service.ts'
import type { PackageUpgrades } from '../software-packages/upgrades/service.ts'
import type { ConfigRenderer, RenderedConfig } from './config-renderer.ts'
import { type HostPackage, type PlannedTarget, planTargets } from './plan.ts'
import type { OpenTarget, RolloutStore } from './store.ts'

export interface PlannerDeps {
  readonly store: RolloutStore
  readonly hosts: Pick<HostService, 'selection'>
  readonly packages: SoftwarePackageService
  readonly upgrades: PackageUpgrades
  readonly configs: ConfigRenderer
}

/** Which hosts, in which order, with which configuration. */
export interface PlanRequest {
  readonly selector: readonly string[]
  readonly hostUuids?: readonly string[] | undefined
  readonly waves: readonly string[]
  readonly spreadBy: string | null
  /** Absent: an installed version of the release keeps its own. */
  readonly config: object | undefined
  readonly release: ReleaseRow
  /** False for a caller with a scope, who may not know the other rollouts of a host. */
  readonly namesRollouts?: boolean
  /** Hosts that are left out. */
  readonly except?: ReadonlySet<string>
}

export interface Plan {
  readonly targets: readonly PlannedTarget[]
  readonly sizes: readonly number[]
  /** By the uuid of the host; undefined when the configuration has no templates. */
  readonly configs: ReadonlyMap<string, RenderedConfig> | undefined
  readonly open: readonly OpenTarget[]
}

/** Plans a rollout with a fixed number of statements, however many hosts it has. */
export class Planner {
  readonly #deps: PlannerDeps

  constructor(deps: PlannerDeps) {
    this.#deps = deps
  }

  async plan(request: PlanRequest): Promise<Plan> {
    const { store, packages, configs } = this.#deps
    const { release, waves, spreadBy, config, namesRollouts = true } = request
    const hosts = await this.#selectHosts(request)
    const manifest = packages.manifestOf(await packages.get(release.softwarePackageUuid))
    const rendered = await configs.render(config ?? {}, manifest.config as JsonSchema | undefined, hosts)
    const byHost = rendered && new Map(hosts.map(({ uuid }, index) => [uuid, rendered[index] as RenderedConfig]))
    const open = await store.listOpen(release.name)
    const { targets, sizes } = planTargets({
      hosts,
      release,
      packages: await this.#listPackages(release, config),
      open,
      namesRollouts,
      waves,
      spreadBy,
      configs: byHost,
      compareVersions,
    })
    return { targets, sizes, configs: byHost, open }
  }

  async #listPackages(release: ReleaseRow, fixed: object | undefined): Promise<HostPackage[]> {
    const { packages, upgrades } = this.#deps
    const rows = await packages.listOnHosts(release.name)
    return rows.map((row) => {
      const isCurrent = upgrades.isCurrent(row)
      const isComplete = row.unzipInstallPath !== null && (isCurrent || row.status === 'Uploaded')
      return {
        ...row,
        isCurrent,
        hasRelease: isComplete && upgrades.hasBytes(row, release),
        hasConfig: (config) => {
          if (config !== undefined && 'problem' in config) return false
          return fixed === undefined || upgrades.hasConfig(row, config === undefined ? fixed : JSON.parse(config.text))
        },
      }
    })
  }

  async #selectHosts({ selector, hostUuids, except }: PlanRequest): Promise<SelectedHost[]> {
    const { selection } = this.#deps.hosts
    if (hostUuids !== undefined) {
      const wanted = [...new Set(hostUuids)]
      const found = await selection.listByUuids(wanted)
      const known = new Set(found.map(({ uuid }) => uuid))
      const missing = wanted.find((uuid) => !known.has(uuid))
      if (missing !== undefined) throw notFound('host', missing)
      return found
    }
    selection.check(selector, 'params.selector')
    const found = await selection.listMatching(selector, maxRolloutTargets + 1)
    if (found.length > maxRolloutTargets)
      throw invalid(`params.selector matches more than ${maxRolloutTargets} hosts, which one rollout can have at most`)
    return except === undefined ? found : found.filter(({ uuid }) => !except.has(uuid))
  }
}
