import { maxDepth, maxNameBytes, maxPartBytes } from './limits.ts'
import { refuseEntry } from './refusal.ts'

/**
 * The parts of a name that stays inside the target folder; none for that folder itself. Backslashes, colons and
 * characters similar to dots have no meaning on the hosts, and none here.
 */
export function entryParts(name: string): string[] {
  if (name === '') throw refuseEntry(name, 'has no name')
  if (name.includes('\0')) throw refuseEntry(name, 'has a NUL in its name')
  if (Buffer.byteLength(name) > maxNameBytes) throw refuseEntry(name, `has a name of more than ${maxNameBytes} bytes`)
  if (name.startsWith('/')) throw refuseEntry(name, 'has an absolute name')
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) throw refuseEntry(name, 'has ".." in its name')
  if (parts.length > maxDepth) throw refuseEntry(name, `is nested deeper than ${maxDepth} folders`)
  if (parts.some((part) => Buffer.byteLength(part) > maxPartBytes))
    throw refuseEntry(name, `has a part of more than ${maxPartBytes} bytes in its name`)
  return parts
}
