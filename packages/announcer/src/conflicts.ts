import { nameKey, type ResourceRecord } from './dns/message.ts'
import type { Names } from './records.ts'

/** Whether somebody else goes by one of our names. Every address of this machine is ours, on whichever link it is. */
export function isConflict(
  record: ResourceRecord,
  { names, ownAddresses }: { names: Names; ownAddresses: ReadonlySet<string> },
): boolean {
  if (record.ttlSeconds === 0) return false
  const name = nameKey(record.name)
  if (record.type === 'A' || record.type === 'AAAA')
    return name === nameKey(names.host) && !ownAddresses.has(record.address)
  return record.type === 'SRV' && name === nameKey(names.instance) && nameKey(record.target) !== nameKey(names.host)
}
