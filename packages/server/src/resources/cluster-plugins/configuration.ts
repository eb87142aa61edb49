import type { FieldsOf, updateClusterConfig } from '@wharf/contract'
import { invalid } from '@wharf/platform/api-error.ts'
import { type Cidr, contains, formatCidr, networkOf, parseAddress, parseCidr } from '@wharf/platform/cidr.ts'

type Fields = FieldsOf<typeof updateClusterConfig>

/** What the package's hooks are told of the cluster. */
export interface ClusterConfiguration {
  readonly managementIp: string
  readonly managementNetworkCidr: string
  readonly publicNetworkCidr: string
  readonly clusterNetworkCidr: string
  readonly gatewayNetworkCidr: string
  readonly otherManagementIp: readonly string[]
  readonly otherStorageIp: readonly string[]
  readonly username: string
  readonly password: string
}

const standardUsername = 'admin'

const field = (name: string): string => `updateClusterConfig.${name}`

/** Every rule that can be checked without asking a host. */
export function checkFields(fields: Fields, managementIp = fields.managementIp): void {
  const management = network('managementNetworkCidr', fields.managementNetworkCidr)
  const cluster = network('clusterNetworkCidr', fields.clusterNetworkCidr)
  const { publicNetworkCidr, gatewayNetworkCidr = publicNetworkCidr } = fields
  const networks = { management, cluster, public: network('publicNetworkCidr', publicNetworkCidr) }
  oneFamily({ ...networks, gateway: network('gatewayNetworkCidr', gatewayNetworkCidr) })

  const others = fields.otherManagementIp
  const own = managementIp === undefined ? [] : [managementIp]
  if (others.length !== 2) throw invalid(`${field('otherManagementIp')} must hold exactly two addresses`)
  inside('managementIp', own, management, 'managementNetworkCidr')
  inside('otherManagementIp', others, management, 'managementNetworkCidr')
  distinct('managementIp and otherManagementIp', [...own, ...others])

  const storage = fields.otherStorageIp ?? []
  inside('otherStorageIp', storage, cluster, 'clusterNetworkCidr')
  distinct('otherStorageIp', storage)
}

/** What was not given comes from `standard`. */
export function checkedConfiguration(
  fields: Fields,
  standard: { managementIp: string; password: () => string },
): ClusterConfiguration {
  const { managementIp = standard.managementIp, publicNetworkCidr, gatewayNetworkCidr = publicNetworkCidr } = fields
  checkFields(fields, managementIp)
  return {
    managementIp,
    managementNetworkCidr: fields.managementNetworkCidr,
    publicNetworkCidr,
    clusterNetworkCidr: fields.clusterNetworkCidr,
    gatewayNetworkCidr,
    otherManagementIp: fields.otherManagementIp,
    otherStorageIp: fields.otherStorageIp ?? [],
    username: fields.username ?? standardUsername,
    password: fields.password ?? standard.password(),
  }
}

function network(name: string, text: string): Cidr {
  const found = parseCidr(text)
  if (found !== undefined && text.includes('/')) return found
  const meant = networkOf(text)
  const hint =
    meant === undefined
      ? 'must be a network such as 10.0.0.0/8 or fd00::/8'
      : `has host bits set; the network is ${formatCidr(meant)}`
  throw invalid(`${field(name)} ${hint}`)
}

function oneFamily(networks: Record<string, Cidr>): void {
  const families = new Set(Object.values(networks).map(({ address }) => address.kind()))
  if (families.size > 1) throw invalid(`${field('…Cidr')}: all networks must be IPv4, or all IPv6`)
}

function inside(name: string, addresses: readonly string[], within: Cidr, cidrName: string): void {
  for (const text of addresses) {
    const address = parseAddress(text)
    if (address === undefined) throw invalid(`${field(name)} holds ${JSON.stringify(text)}, which is no address`)
    if (!contains(within, address))
      throw invalid(`${field(name)} holds ${text}, which is not in ${cidrName} ${formatCidr(within)}`)
  }
}

/** Two ways to write one address are one address. */
function distinct(name: string, addresses: readonly string[]): void {
  const seen = new Set(addresses.map((text) => parseAddress(text)?.toString()))
  if (seen.size < addresses.length) throw invalid(`${field(name)} must be different addresses`)
}

/** The order of the other nodes, and the way in which an address is written, make no difference. */
export const isSameConfiguration = (a: ClusterConfiguration, b: ClusterConfiguration): boolean =>
  canonical(a) === canonical(b)

function canonical(configuration: ClusterConfiguration): string {
  const write = (value: string | readonly string[]): unknown =>
    typeof value !== 'string' ? value.map(write).sort() : writtenAddress(value)
  const { username, password, ...places } = configuration
  return JSON.stringify([username, password, Object.values(places).map(write)])
}

function writtenAddress(text: string): string {
  const [address = '', prefix = ''] = text.split('/')
  return `${parseAddress(address) ?? text}/${prefix}`
}

/** As it may be shown: the `initConfig` tag. */
export function withoutPassword({
  password: _,
  ...shown
}: ClusterConfiguration): Omit<ClusterConfiguration, 'password'> {
  return shown
}
