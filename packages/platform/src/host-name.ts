import { parseAddress } from './cidr.ts'

const maxNameLength = 253
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i

/** RFC 1123. A last label of digits only is an invalid address, such as 999.1.1.1. */
function isHostName(text: string): boolean {
  const labels = text.split('.')
  return text.length <= maxNameLength && labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '')
}

export const isAddressOrHostName = (text: string): boolean => parseAddress(text) !== undefined || isHostName(text)
