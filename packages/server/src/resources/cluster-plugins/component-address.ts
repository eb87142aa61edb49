import { canonicalAddress, parseAddress } from '@wharf/platform/cidr.ts'

/** Equal for two notations of one address, and for a host name in any case. */
export function canonicalHost(text: string): string {
  const address = parseAddress(text)
  return address === undefined ? text.toLowerCase() : canonicalAddress(address)
}

/** Identifies a component independently of the notation of its address; unique among plugins. */
export const componentKey = ({ managementIp, apiPort }: { managementIp: string; apiPort: number }): string =>
  `${canonicalHost(managementIp)} ${apiPort}`
