import {
  type Cidr,
  contains,
  formatCidr,
  isSameAddress,
  networkOf,
  parseAddress,
  parseCidr,
} from '@wharf/platform/cidr.ts'
import { isAddressOrHostName } from '@wharf/platform/host-name.ts'
import { type ClusterForm, storageAddresses } from './cluster-form.ts'

/** The problem of a field; `value` is the parameter of its message. */
export interface Problem {
  readonly kind:
    | 'required'
    | 'cannotForm'
    | 'invalidHost'
    | 'invalidPort'
    | 'invalidNetwork'
    | 'hostBits'
    | 'otherFamily'
    | 'invalidAddress'
    | 'outside'
    | 'duplicate'
  readonly value: string
}

export type Problems = Readonly<Partial<Record<keyof ClusterForm, Problem>>>

const networks = ['managementNetworkCidr', 'publicNetworkCidr', 'clusterNetworkCidr', 'gatewayNetworkCidr'] as const
const nodes = ['managementIp', 'second', 'third'] as const
type Mutable = Partial<Record<keyof ClusterForm, Problem>>

const problem = (kind: Problem['kind'], value = ''): Problem => ({ kind, value })

export function componentProblems({ kind, name, address, apiPort, adminToken }: ClusterForm): Problems {
  const found: Mutable = {}
  if (name.trim() === '') found.name = problem('required')
  const port = Number(apiPort)
  if (apiPort.trim() !== '' && !(Number.isInteger(port) && port >= 1 && port <= 65_535))
    found.apiPort = problem('invalidPort')
  if (kind === 'takeover' && address.trim() === '') found.address = problem('required')
  else if (kind === 'takeover' && !isAddressOrHostName(address.trim()))
    found.address = problem('invalidHost', address.trim())
  if (kind === 'takeover' && adminToken.trim() === '') found.adminToken = problem('required')
  return found
}

export function softwareProblems({ softwarePackageUuid }: ClusterForm, canForm: boolean | undefined): Problems {
  if (softwarePackageUuid === '') return { softwarePackageUuid: problem('required') }
  // while loading, continue: the preflight checks it again
  return canForm === false ? { softwarePackageUuid: problem('cannotForm') } : {}
}

/** The rules of the server that need no connection to a host. */
export function networkProblems(form: ClusterForm): Problems {
  const found: Mutable = {}
  const parsed = new Map<keyof ClusterForm, Cidr>()
  for (const field of networks) {
    const text = form[field].trim()
    if (text === '' && field === 'gatewayNetworkCidr') continue
    const network = networkOf(text)
    if (text === '') found[field] = problem('required')
    else if (network === undefined) found[field] = problem('invalidNetwork')
    else if (parseCidr(text) === undefined) found[field] = problem('hostBits', formatCidr(network))
    else parsed.set(field, network)
  }
  const family = parsed.get('managementNetworkCidr')?.address.kind()
  for (const [field, network] of parsed)
    if (family !== undefined && network.address.kind() !== family)
      found[field] = problem('otherFamily', family.replace('ip', 'IP'))

  for (const field of nodes) {
    const wrong = addressProblem(form[field].trim(), parsed.get('managementNetworkCidr'))
    if (wrong) found[field] = wrong
  }
  // compares parsed addresses: one address has several notations
  for (const [index, field] of nodes.entries()) {
    const duplicate = nodes.slice(0, index).find((other) => isSame(form[other], form[field]))
    if (duplicate && found[field] === undefined) found[field] = problem('duplicate', form[field].trim())
  }
  const storage = storageAddresses(form.otherStorageIp)
  const wrong =
    storage.map((text) => addressProblem(text, parsed.get('clusterNetworkCidr'))).find(Boolean) ??
    storage
      .filter((text, index) => storage.slice(0, index).some((other) => isSame(other, text)))
      .map((text) => problem('duplicate', text))[0]
  if (wrong) found.otherStorageIp = wrong
  return found
}

function addressProblem(text: string, within: Cidr | undefined): Problem | undefined {
  if (text === '') return problem('required')
  const address = parseAddress(text)
  if (address === undefined) return problem('invalidAddress', text)
  return within && !contains(within, address) ? problem('outside', formatCidr(within)) : undefined
}

const isSame = (one: string, other: string): boolean => isSameAddress(one.trim(), other.trim())
