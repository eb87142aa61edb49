import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A network: every address that shares the first `prefix` bits of `address`. */
export interface Cidr {
  readonly address: Address
  readonly prefix: number
}

export const cidrRule = 'must be a network such as 10.0.0.0/8 or fd00::/8 without host bits, or an address'

/**
 * Undefined for text that is not an address. One with a zone (`fe80::1%eth0`) is not: its meaning depends on the host.
 * ipaddr.js also accepts octal and short forms, and reads `::1.2.3.4` as `::ffff:1.2.3.4`: so it gets the form of the URL
 * standard, in hexadecimal digits only. The console uses this file too, so nothing here depends on Node.
 */
export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  const url = /^[\da-f:.]+$/i.test(text) ? URL.parse(`http://[${text}]`) : null
  return url ? ipaddr.IPv6.parse(url.hostname.slice(1, -1)) : undefined
}

/** Whether both are notations of one address. */
export function isSameAddress(one: string, other: string): boolean {
  const address = parseAddress(one)
  return address !== undefined && address.toString() === parseAddress(other)?.toString()
}

/** A bare address is the network of that address alone. Host bits are refused: 10.1.2.3/8 may mean either. */
export function parseCidr(text: string): Cidr | undefined {
  if (!text.includes('/')) {
    const address = parseAddress(text)
    return address && { address, prefix: address.toByteArray().length * 8 }
  }
  const network = networkOf(text)
  const isExact = network?.address.toString() === parseAddress(text.split('/')[0] ?? '')?.toString()
  return isExact ? network : undefined
}

/** The network that an address with a prefix is in: `10.1.2.3/8` is in 10.0.0.0/8. */
export function networkOf(text: string): Cidr | undefined {
  const [, addressText = '', prefixText = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const address = parseAddress(addressText)
  const prefix = Number(prefixText)
  if (address === undefined || prefix > address.toByteArray().length * 8) return undefined
  const Family = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  return { address: Family.networkAddressFromCIDR(`${address}/${prefix}`), prefix }
}

export const contains = (network: Cidr, address: Address): boolean =>
  network.address.kind() === address.kind() && address.match(network.address, network.prefix)

/** Equal for every spelling of an address, and for an IPv4 address that is written as an IPv6 one. */
export const canonicalAddress = (address: Address): string =>
  (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address).toString()

export const formatCidr = ({ address, prefix }: Cidr): string => `${address}/${prefix}`
