import { canonicalAddress, parseAddress } from '@wharf/platform/cidr.ts'

const maxNameLength = 253
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i

/** RFC 1123. A last label of digits only is an invalid address, such as 999.1.1.1. */
function isHostName(text: string): boolean {
  const labels = text.split('.')
  return text.length <= maxNameLength && labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '')
}

export const isHost = (text: string): boolean => parseAddress(text) !== undefined || isHostName(text)

/** Equal for two notations of one address, and for a host name in any case. */
export function canonicalHost(text: string): string {
  const address = parseAddress(text)
  return address === undefined ? text.toLowerCase() : canonicalAddress(address)
}

/** Identifies a component independently of the notation of its address; unique among plugins. */
export const componentKey = ({ managementIp, apiPort }: { managementIp: string; apiPort: number }): string =>
  `${canonicalHost(managementIp)} ${apiPort}`
