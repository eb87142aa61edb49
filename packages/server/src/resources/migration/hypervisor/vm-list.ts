import type { ListedVm, VmState } from './hypervisor.ts'

/** virDomainState, by number. A VM that waits for a device (blocked) is running. */
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

/** Parses a line `uuid name` for each VM, followed by a paragraph with the name and the state of each. */
export function parseVmList(lines: readonly string[]): Map<string, ListedVm> {
  const uuids = new Map<string, string>()
  const found = new Map<string, ListedVm>()
  let name = ''
  for (const line of lines) {
    const [, uuid, listedName] = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\s+(.+?)\s*$/.exec(line) ?? []
    if (uuid !== undefined && listedName !== undefined) {
      uuids.set(listedName, uuid.replaceAll('-', ''))
      found.set(uuid.replaceAll('-', ''), { name: listedName, state: 'Unknown' })
    }
    name = /^Domain: '(.+)'$/.exec(line)?.[1] ?? name
    const number = /^\s*state\.state=(\d+)$/.exec(line)?.[1]
    const uuidOfName = uuids.get(name)
    if (number !== undefined && uuidOfName !== undefined)
      found.set(uuidOfName, { name, state: states[Number(number)] ?? 'Unknown' })
  }
  return found
}
