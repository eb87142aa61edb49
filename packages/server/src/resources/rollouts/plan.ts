import type { PlanAction } from '@wharf/contract'
import type { SelectedHost } from '../hosts/service.ts'
import type { RenderedConfig } from './config-renderer.ts'
import { orderHosts } from './host-order.ts'
import type { OpenTarget } from './store.ts'
import { waveSizes } from './wave-sizes.ts'

/** A package of the software on a host. */
export interface HostPackage {
  readonly uuid: string
  readonly hostUuid: string | null
  readonly version: string | null
  /** It is the installed one. */
  readonly isCurrent: boolean
  /** It has the bytes of the release, unpacked. */
  readonly hasRelease: boolean
  /** It has the configuration that the rollout gives to the host. */
  readonly hasConfig: (config: RenderedConfig | undefined) => boolean
}

interface PlanInput {
  readonly hosts: readonly SelectedHost[]
  readonly release: { readonly version: string; readonly size: number }
  readonly packages: readonly HostPackage[]
  /** Unfinished rollouts of the software, other than this one. */
  readonly open: readonly OpenTarget[]
  /** False: the obstacle of a host does not name its other rollout. */
  readonly namesRollouts?: boolean
  readonly waves: readonly string[]
  readonly spreadBy: string | null
  /** By the uuid of the host; undefined when all hosts have the same configuration. */
  readonly configs: ReadonlyMap<string, RenderedConfig> | undefined
  /** Negative, zero or positive; undefined when the versions cannot be compared. */
  readonly compareVersions: (a: string, b: string) => number | undefined
}

export interface PlannedTarget {
  readonly host: SelectedHost
  readonly wave: number
  readonly action: PlanAction
  readonly fromVersion: string | null
  readonly toVersion: string
  readonly bytes: number
  readonly obstacle: string | null
  readonly previousPackageUuid: string | null
}

/** What is done with each host, in which wave, and what blocks it. */
export function planTargets(input: PlanInput): { targets: PlannedTarget[]; sizes: number[] } {
  const { hosts, release, packages, open, namesRollouts = true, waves, spreadBy, configs, compareVersions } = input
  const packagesByHost = Map.groupBy(packages, ({ hostUuid }) => hostUuid)
  const rollouts = new Map(open.map((target) => [target.hostUuid, target]))
  const ordered = orderHosts(hosts, spreadBy)
  const sizes = waveSizes(waves, ordered.length)
  const waveOf = sizes.flatMap((size, index) => Array<number>(size).fill(index + 1))
  const targets = ordered.map((host, index): PlannedTarget => {
    const onHost = packagesByHost.get(host.uuid) ?? []
    const current = onHost.find(({ isCurrent }) => isCurrent)
    const config = configs?.get(host.uuid)
    const action = actionOf(current, config, release.version, compareVersions)
    // what is installed is not unpacked a second time in its own place
    const hasArchive = onHost.some(({ hasRelease, isCurrent }) => hasRelease && (!isCurrent || action === 'None'))
    const bytes = hasArchive ? 0 : release.size
    return {
      host,
      wave: waveOf[index] ?? sizes.length,
      action,
      fromVersion: current?.version ?? null,
      toVersion: release.version,
      bytes,
      obstacle: obstacleOf(host, { bytes, rollout: rollouts.get(host.uuid), namesRollouts, config }),
      previousPackageUuid: current?.uuid ?? null,
    }
  })
  return { targets, sizes }
}

function actionOf(
  current: HostPackage | undefined,
  config: RenderedConfig | undefined,
  version: string,
  compareVersions: PlanInput['compareVersions'],
): PlanAction {
  if (current === undefined) return 'Install'
  if (current.hasRelease && current.hasConfig(config)) return 'None'
  const order = current.version === null ? undefined : compareVersions(current.version, version)
  return order !== undefined && order > 0 ? 'Downgrade' : 'Upgrade'
}

interface Circumstances {
  readonly bytes: number
  readonly rollout: OpenTarget | undefined
  readonly namesRollouts: boolean
  readonly config: RenderedConfig | undefined
}

function obstacleOf(host: SelectedHost, { bytes, rollout, namesRollouts, config }: Circumstances): string | null {
  if (config !== undefined && 'problem' in config) return config.problem
  if (rollout !== undefined) {
    const named = namesRollouts ? `rollout ${rollout.rolloutName}` : 'another rollout'
    return `${named} of the same software is unfinished on this host`
  }
  return hostObstacle(host, bytes)
}

/** What blocks the host itself; null when nothing does. */
export function hostObstacle(host: SelectedHost, bytes: number): string | null {
  const reason = unreachableReason(host)
  if (reason !== undefined) return reason
  return host.availableCapacity < bytes
    ? `not enough free space: ${bytes} bytes are sent, and ${host.availableCapacity} are free`
    : null
}

/** Why the host cannot be worked on; undefined when it can. */
export function unreachableReason({ name, address, state, status, errorDetails }: SelectedHost): string | undefined {
  if (state === 'Disabled') return `host ${name} is Disabled`
  if (status === 'Connected') return undefined
  return `host ${name} (${address}) is ${status}${errorDetails === null ? '' : `: ${errorDetails}`}`
}
