import type { ClusterConfiguration, FieldsOf, updateClusterConfig } from '@wharf/contract'
import { invalid } from '@wharf/platform/api-error.ts'
import { type Cidr, contains, formatCidr, networkOf, parseAddress, parseCidr } from '@wharf/platform/cidr.ts'

type Fields = FieldsOf<typeof updateClusterConfig>

const defaultUsername = 'admin'

const field = (name: string): string => `updateClusterConfig.${name}`

/** Every rule that can be checked without a host. */
export function validateFields(fields: Fields, managementIp = fields.managementIp): void {
  const management = parseNetworkField('managementNetworkCidr', fields.managementNetworkCidr)
  const cluster = parseNetworkField('clusterNetworkCidr', fields.clusterNetworkCidr)
  const { publicNetworkCidr, gatewayNetworkCidr = publicNetworkCidr } = fields
  const networks = { management, cluster, public: parseNetworkField('publicNetworkCidr', publicNetworkCidr) }
  requireOneFamily({ ...networks, gateway: parseNetworkField('gatewayNetworkCidr', gatewayNetworkCidr) })

  const others = fields.otherManagementIp
  const own = managementIp === undefined ? [] : [managementIp]
  if (others.length !== 2) throw invalid(`${field('otherManagementIp')} must contain exactly two addresses`)
  requireInside('managementIp', own, management, 'managementNetworkCidr')
  requireInside('otherManagementIp', others, management, 'managementNetworkCidr')
  requireDistinct('managementIp and otherManagementIp', [...own, ...others])

  const storage = fields.otherStorageIp ?? []
  requireInside('otherStorageIp', storage, cluster, 'clusterNetworkCidr')
  requireDistinct('otherStorageIp', storage)
}

/** Omitted fields get their defaults. */
export function resolveConfiguration(
  fields: Fields,
  defaults: { managementIp: string; password: () => string },
): ClusterConfiguration {
  const { managementIp = defaults.managementIp, publicNetworkCidr, gatewayNetworkCidr = publicNetworkCidr } = fields
  validateFields(fields, managementIp)
  return {
    managementIp,
    managementNetworkCidr: fields.managementNetworkCidr,
    publicNetworkCidr,
    clusterNetworkCidr: fields.clusterNetworkCidr,
    gatewayNetworkCidr,
    otherManagementIp: fields.otherManagementIp,
    otherStorageIp: fields.otherStorageIp ?? [],
    username: fields.username ?? defaultUsername,
    password: fields.password ?? defaults.password(),
  }
}

function parseNetworkField(name: string, text: string): Cidr {
  const found = parseCidr(text)
  if (found !== undefined && text.includes('/')) return found
  const networkOfHost = networkOf(text)
  const hint =
    networkOfHost === undefined
      ? 'must be a network such as 10.0.0.0/8 or fd00::/8'
      : `has host bits set; the network is ${formatCidr(networkOfHost)}`
  throw invalid(`${field(name)} ${hint}`)
}

function requireOneFamily(networks: Record<string, Cidr>): void {
  const families = new Set(Object.values(networks).map(({ address }) => address.kind()))
  if (families.size > 1) throw invalid(`${field('…Cidr')}: all networks must be IPv4, or all IPv6`)
}

function requireInside(name: string, addresses: readonly string[], within: Cidr, cidrName: string): void {
  for (const text of addresses) {
    const address = parseAddress(text)
    if (address === undefined) throw invalid(`${field(name)} contains ${JSON.stringify(text)}, which is not an address`)
    if (!contains(within, address))
      throw invalid(`${field(name)} contains ${text}, which is not in ${cidrName} ${formatCidr(within)}`)
  }
}

/** Two notations of one address are one address. */
function requireDistinct(name: string, addresses: readonly string[]): void {
  const seen = new Set(addresses.map((text) => parseAddress(text)?.toString()))
  if (seen.size < addresses.length) throw invalid(`${field(name)} must be different addresses`)
}

/** The order of the other nodes and the notation of an address make no difference. */
export const isSameConfiguration = (a: ClusterConfiguration, b: ClusterConfiguration): boolean =>
  canonical(a) === canonical(b)

function canonical(configuration: ClusterConfiguration): string {
  const write = (value: string | readonly string[]): unknown =>
    typeof value !== 'string' ? value.map(write).sort() : canonicalCidr(value)
  const { username, password, ...addresses } = configuration
  return JSON.stringify([username, password, Object.values(addresses).map(write)])
}

function canonicalCidr(text: string): string {
  const [address = '', prefix = ''] = text.split('/')
  return `${parseAddress(address) ?? text}/${prefix}`
}

/** The value of the `initConfig` tag. */
export function withoutPassword({
  password: _,
  ...rest
}: ClusterConfiguration): Omit<ClusterConfiguration, 'password'> {
  return rest
}
