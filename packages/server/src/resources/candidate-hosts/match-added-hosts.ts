import { parseAddress } from '@wharf/platform/cidr.ts'
import { reportedValue } from '@wharf/platform/reported-value.ts'
import type { Candidate } from './candidates.ts'

/** The columns of a host that identify a candidate. */
export interface AddedHost {
  readonly address: string
  readonly sn: string | null
  /** The management node whose machine it is, if any. */
  readonly managementNodeUuid: string | null
}

/** Returns whether a candidate is one of these hosts: by its serial number, an address or a name. */
export function matchAddedHosts(hosts: readonly AddedHost[]): (candidate: Candidate) => boolean {
  const serials = new Set(hosts.flatMap(({ sn }) => reportedValue(sn ?? '') ?? []))
  const endpoints = new Set(hosts.map(({ address }) => endpointKey(address)))
  const nodes = new Set(hosts.flatMap(({ managementNodeUuid }) => managementNodeUuid ?? []))
  return ({ sn, hostName, addresses, nodeUuid }) => {
    const names = hostName === null ? [] : [hostName, `${hostName}.local`]
    const isKnown = (sn !== null && serials.has(sn)) || (nodeUuid !== null && nodes.has(nodeUuid))
    return isKnown || [...addresses, ...names].some((endpoint) => endpoints.has(endpointKey(endpoint)))
  }
}

/** Equal for equal addresses in different notations, and for names in different case. */
function endpointKey(text: string): string {
  const address = parseAddress(text.replace(/^\[|\]$/g, '').replace(/%.*$/, ''))
  return address?.toString() ?? text.toLowerCase().replace(/\.$/, '')
}
