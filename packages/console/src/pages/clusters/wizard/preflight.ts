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
export interface Known {
  readonly hosts: readonly HostInfo[]
  readonly package: { readonly name: string; readonly status: string; readonly hostUuid: string | null } | undefined
  /** The cluster that runs on the package, unless it is this one. */
  readonly takenBy: string | undefined
  /** Whether the package says how to form a cluster; undefined while that is not known. */
  readonly canForm: boolean | undefined
  /** Where this server is reached. */
  readonly url: string | undefined
}

export type CheckName =
  | 'packageReady'
  | 'packageNotReady'
  | 'packageGone'
  | 'packageTaken'
  | 'packageReattached'
  | 'packageForms'
  | 'packageFormsNone'
  | 'hostReady'
  | 'hostAway'
  | 'hostUnknown'
  | 'firstIsHost'
  | 'firstIsOther'
  | 'nodeReady'
  | 'nodeAway'
  | 'nodeUnknown'
  | 'addressUntried'
  | 'addressOwn'

export interface Check {
  readonly name: CheckName
  /** An error is what the server would refuse; a warning may be meant; an info is what nobody has tried. */
  readonly level: 'success' | 'info' | 'warning' | 'error'
  readonly values: readonly string[]
}

const check = (name: CheckName, level: Check['level'], ...values: string[]): Check => ({ name, level, values })

export function preflight(form: ClusterForm, known: Known): Check[] {
  const own = known.hosts.find(({ uuid }) => uuid === known.package?.hostUuid)
  const others = [form.second, form.third].map((address) => nodeCheck(address.trim(), known.hosts))
  return [
    ...packageChecks(known),
    ...(own ? [hostCheck(own), firstCheck(form.managementIp.trim(), own)] : [check('hostUnknown', 'error')]),
    ...others,
    ...(known.url && own ? [addressCheck(known.url, own)] : []),
  ]
}

/** A cluster that runs on it already is attached again. */
export const isFormable = (status: string): boolean =>
  ([...allowed.initialise, ...allowed.reattach] as readonly string[]).includes(status)

function packageChecks({ package: chosen, takenBy, canForm }: Known): Check[] {
  if (chosen === undefined) return [check('packageGone', 'error')]
  const { name, status } = chosen
  const isAgain = (allowed.reattach as readonly string[]).includes(status) && takenBy === undefined
  return [
    isFormable(status)
      ? check('packageReady', 'success', name, status)
      : check('packageNotReady', 'error', name, status),
    ...(isAgain ? [check('packageReattached', 'info')] : []),
    ...(takenBy === undefined ? [] : [check('packageTaken', 'error', takenBy)]),
    ...(canForm === undefined ? [] : [canForm ? check('packageForms', 'success') : check('packageFormsNone', 'error')]),
  ]
}

/** Work is sent to hosts that are both. */
const troubleOf = ({ state, status }: HostInfo): string | undefined =>
  state === 'Disabled' ? state : status === 'Connected' ? undefined : status

function hostCheck(host: HostInfo): Check {
  const trouble = troubleOf(host)
  return trouble === undefined
    ? check('hostReady', 'success', host.name)
    : check('hostAway', 'error', host.name, trouble)
}

/** A host may have more addresses than the one it was added by, so only the job can tell for sure. */
const firstCheck = (address: string, host: HostInfo): Check =>
  host.driver !== 'local' && isSameAddress(address, host.address)
    ? check('firstIsHost', 'success', address)
    : check('firstIsOther', 'warning', address, host.name)

function nodeCheck(address: string, hosts: readonly HostInfo[]): Check {
  const host = hosts.find((one) => isSameAddress(one.address, address))
  if (host === undefined) return check('nodeUnknown', 'warning', address)
  const trouble = host.status === 'Connected' ? undefined : host.status
  return trouble === undefined
    ? check('nodeReady', 'success', address, host.name)
    : check('nodeAway', 'warning', address, host.name, trouble)
}

const isLoopback = (url: string): boolean => /^\[?(127\.|::1|localhost)/.test(new URL(url).hostname)

/** The machine of the server itself reaches it anywhere. */
const addressCheck = (url: string, host: HostInfo): Check =>
  isLoopback(url) && host.driver !== 'local'
    ? check('addressOwn', 'warning', url)
    : check('addressUntried', 'info', url)
