import { contains, isHost, type Network, parseAddress, parseNetwork, writtenNetwork } from '../addresses.ts'
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
  else if (kind === 'takeover' && !isHost(address.trim())) found.address = problem('invalidHost', address.trim())
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
  const parsed = new Map<keyof ClusterForm, Network>()
  for (const field of networks) {
    const text = form[field].trim()
    if (text === '' && field === 'gatewayNetworkCidr') continue
    const read = parseNetwork(text)
    if (text === '') found[field] = problem('required')
    else if (read === undefined) found[field] = problem('invalidNetwork')
    else if (read.hasHostBits) found[field] = problem('hostBits', writtenNetwork(read.network))
    else parsed.set(field, read.network)
  }
  const family = parsed.get('managementNetworkCidr')?.family
  for (const [field, network] of parsed)
    if (family !== undefined && network.family !== family) found[field] = problem('otherFamily', `IPv${family}`)

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

function addressProblem(text: string, within: Network | undefined): Problem | undefined {
  if (text === '') return problem('required')
  const address = parseAddress(text)
  if (address === undefined) return problem('invalidAddress', text)
  return within && !contains(within, address) ? problem('outside', writtenNetwork(within)) : undefined
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [parseAddress(one.trim()), parseAddress(other.trim())]
  return a !== undefined && a.value === b?.value
}
