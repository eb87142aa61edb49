import { allowed } from '@wharf/contract'
import { isSameAddress } from '../addresses.ts'
import type { ClusterForm } from './cluster-form.ts'

interface HostInfo {
  readonly uuid: string
  readonly name: string
  readonly address: string
  readonly driver: string
  readonly state: string
  readonly status: string
}

/** What the server knows at this moment. */
export interface WizardData {
  readonly hosts: readonly HostInfo[]
  readonly package: { readonly name: string; readonly status: string; readonly hostUuid: string | null } | undefined
  /** The cluster that runs on the package, unless it is this one. */
  readonly takenBy: string | undefined
  /** Whether the package says how to form a cluster; undefined while that is not data. */
  readonly canForm: boolean | undefined
  /** Where this server is reached. */
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
  /** An error is what the server would refuse; a warning may be meant; an info is what nobody has tried. */
  readonly level: 'success' | 'info' | 'warning' | 'error'
  readonly values: readonly string[]
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

/** A cluster that runs on it already is attached again. */
export const canFormCluster = (status: string): boolean =>
  ([...allowed.initialise, ...allowed.reattach] as readonly string[]).includes(status)

function packageChecks({ package: chosen, takenBy, canForm }: WizardData): Check[] {
  if (chosen === undefined) return [check('packageMissing', 'error')]
  const { name, status } = chosen
  const isReattached = (allowed.reattach as readonly string[]).includes(status) && takenBy === undefined
  return [
    canFormCluster(status)
      ? check('packageReady', 'success', name, status)
      : check('packageNotReady', 'error', name, status),
    ...(isReattached ? [check('packageReattached', 'info')] : []),
    ...(takenBy === undefined ? [] : [check('packageTaken', 'error', takenBy)]),
    ...(canForm === undefined
      ? []
      : [canForm ? check('packageForms', 'success') : check('packageCannotForm', 'error')]),
  ]
}

/** Work is sent to hosts that are both. */
const unavailability = ({ state, status }: HostInfo): string | undefined =>
  state === 'Disabled' ? state : status === 'Connected' ? undefined : status

function hostCheck(host: HostInfo): Check {
  const reason = unavailability(host)
  return reason === undefined
    ? check('hostReady', 'success', host.name)
    : check('hostUnavailable', 'error', host.name, reason)
}

/** A host may have more addresses than the one it was added by, so only the job can tell for sure. */
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
    : check('nodeUnavailable', 'warning', address, host.name, reason)
}

const isLoopback = (url: string): boolean => /^\[?(127\.|::1|localhost)/.test(new URL(url).hostname)

/** The machine of the server itself reaches it anywhere. */
const urlCheck = (url: string, host: HostInfo): Check =>
  isLoopback(url) && host.driver !== 'local'
    ? check('urlLoopback', 'warning', url)
    : check('urlUnverified', 'info', url)
