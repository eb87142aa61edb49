import { canonicalAddress, parseAddress } from './cidr.ts'

/** Equal for two notations of one address, and for a host name in any case. */
export function canonicalHost(text: string): string {
  const address = parseAddress(text)
  return address === undefined ? text.toLowerCase() : canonicalAddress(address)
}
