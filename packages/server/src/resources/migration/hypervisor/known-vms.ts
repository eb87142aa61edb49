import type { KnownVm, VmState } from './hypervisor.ts'

/** virDomainState, by number. A VM that waits for a device is running all the same. */
const states: readonly VmState[] = [
  'Unknown',
  'Running',
  'Running',
  'Paused',
  'Stopping',
  'Stopped',
  'Crashed',
  'Suspended',
]

/** First a line `uuid name` for each, then a paragraph with the name and the state of each. */
export function readKnownVms(lines: readonly string[]): Map<string, KnownVm> {
  const uuids = new Map<string, string>()
  const found = new Map<string, KnownVm>()
  let name = ''
  for (const line of lines) {
    const [, uuid, itsName] = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\s+(.+?)\s*$/.exec(line) ?? []
    if (uuid !== undefined && itsName !== undefined) {
      uuids.set(itsName, uuid.replaceAll('-', ''))
      found.set(uuid.replaceAll('-', ''), { name: itsName, state: 'Unknown' })
    }
    name = /^Domain: '(.+)'$/.exec(line)?.[1] ?? name
    const number = /^\s*state\.state=(\d+)$/.exec(line)?.[1]
    const known = uuids.get(name)
    if (number !== undefined && known !== undefined)
      found.set(known, { name, state: states[Number(number)] ?? 'Unknown' })
  }
  return found
}
