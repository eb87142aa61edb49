import { allowed } from '@wharf/contract'
import { isSameAddress } from '@wharf/platform/cidr.ts'
import { isLoopbackUrl } from '@wharf/sdk'
import type { ClusterForm } from './cluster-form.ts'

export interface HostInfo {
  readonly uuid: string
  readonly name: string
  readonly address: string
  readonly driver: string
  readonly state: string
  readonly status: string
}

/** The current records of the server. */
export interface WizardData {
  readonly hosts: readonly HostInfo[]
  readonly package: { readonly name: string; readonly status: string; readonly hostUuid: string | null } | undefined
  /** The cluster that runs on the package, unless it is this one. */
  readonly takenBy: string | undefined
  /** The package has a program that forms a cluster; undefined while loading. */
  readonly canForm: boolean | undefined
  /** The public URL of the server. */
  readonly url: string | undefined
}

export type CheckName =
  | 'packageReady'
  | 'packageNotReady'
  | 'packageMissing'
  | 'packageTaken'
  | 'packageReattached'
  | 'packageForms'
  | 'packageCannotForm'
  | 'hostReady'
  | 'hostUnavailable'
  | 'hostUnknown'
  | 'firstIsHost'
  | 'firstIsOther'
  | 'nodeReady'
  | 'nodeUnavailable'
  | 'nodeUnknown'
  | 'urlUnverified'
  | 'urlLoopback'

export interface Check {
  readonly name: CheckName
  /** The server rejects an error; a warning may be intended; an info is not verified. */
  readonly level: 'success' | 'info' | 'warning' | 'error'
  readonly values: readonly string[]
  /** A status of the API: the last parameter of the message, after the values. */
  readonly status?: string
}

const check = (name: CheckName, level: Check['level'], ...values: string[]): Check => ({ name, level, values })

export function preflight(form: ClusterForm, data: WizardData): Check[] {
  const own = data.hosts.find(({ uuid }) => uuid === data.package?.hostUuid)
  const others = [form.second, form.third].map((address) => nodeCheck(address.trim(), data.hosts))
  return [
    ...packageChecks(data),
    ...(own ? [hostCheck(own), firstCheck(form.managementIp.trim(), own)] : [check('hostUnknown', 'error')]),
    ...others,
    ...(data.url && own ? [urlCheck(data.url, own)] : []),
  ]
}

interface NodeInfo {
  readonly status?: string
  readonly url?: string | null
  readonly publicUrl?: string | null
}

/** The address that clusters send alerts to: the public one of a node that is alive. */
export function publicUrlOf(nodes: readonly NodeInfo[]): string | undefined {
  const alive = nodes.find(({ status }) => status === 'Alive')
  return alive?.publicUrl ?? alive?.url ?? undefined
}

/** Includes packages whose running cluster is attached again. */
export const canFormCluster = (status: string): boolean =>
  ([...allowed.initialise, ...allowed.reattach] as readonly string[]).includes(status)

function packageChecks({ package: chosen, takenBy, canForm }: WizardData): Check[] {
  if (chosen === undefined) return [check('packageMissing', 'error')]
  const { name, status } = chosen
  const isReattached = (allowed.reattach as readonly string[]).includes(status) && takenBy === undefined
  return [
    canFormCluster(status)
      ? { ...check('packageReady', 'success', name), status }
      : { ...check('packageNotReady', 'error', name), status },
    ...(isReattached ? [check('packageReattached', 'info')] : []),
    ...(takenBy === undefined ? [] : [check('packageTaken', 'error', takenBy)]),
    ...(canForm === undefined
      ? []
      : [canForm ? check('packageForms', 'success') : check('packageCannotForm', 'error')]),
  ]
}

/** Why a host cannot be used; a usable one is Enabled and Connected. */
export const unavailability = ({ state, status }: HostInfo): string | undefined =>
  state === 'Disabled' ? state : status === 'Connected' ? undefined : status

function hostCheck(host: HostInfo): Check {
  const reason = unavailability(host)
  return reason === undefined
    ? check('hostReady', 'success', host.name)
    : { ...check('hostUnavailable', 'error', host.name), status: reason }
}

/** A host may have more than its configured address, so only the job can verify this. */
const firstCheck = (address: string, host: HostInfo): Check =>
  host.driver !== 'local' && isSameAddress(address, host.address)
    ? check('firstIsHost', 'success', address)
    : check('firstIsOther', 'warning', address, host.name)

function nodeCheck(address: string, hosts: readonly HostInfo[]): Check {
  const host = hosts.find((one) => isSameAddress(one.address, address))
  if (host === undefined) return check('nodeUnknown', 'warning', address)
  const reason = host.status === 'Connected' ? undefined : host.status
  return reason === undefined
    ? check('nodeReady', 'success', address, host.name)
    : { ...check('nodeUnavailable', 'warning', address, host.name), status: reason }
}

/** The server's own machine reaches its loopback address. */
const urlCheck = (url: string, host: HostInfo): Check =>
  isLoopbackUrl(url) && host.driver !== 'local'
    ? check('urlLoopback', 'warning', url)
    : check('urlUnverified', 'info', url)
