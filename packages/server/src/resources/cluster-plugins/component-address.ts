import { canonicalAddress, parseAddress } from '@wharf/platform/cidr.ts'

const maxNameLength = 253
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i

/** RFC 1123. A last label of digits only would be an address that is written wrong, such as 999.1.1.1. */
function isHostName(text: string): boolean {
  const labels = text.split('.')
  return text.length <= maxNameLength && labels.every((one) => label.test(one)) && !/^\d+$/.test(labels.at(-1) ?? '')
}

export const isHost = (text: string): boolean => parseAddress(text) !== undefined || isHostName(text)

/** Equal for two spellings of one address, and for a host name whatever its case. */
export function canonicalHost(text: string): string {
  const address = parseAddress(text)
  return address === undefined ? text.toLowerCase() : canonicalAddress(address)
}

/** Which component it is, however its address is written: no two plugins have the same. */
export const componentKey = ({ managementIp, apiPort }: { managementIp: string; apiPort: number }): string =>
  `${canonicalHost(managementIp)} ${apiPort}`
