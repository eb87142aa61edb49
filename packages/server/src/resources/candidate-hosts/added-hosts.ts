import { parseAddress } from '@wharf/platform/cidr.ts'
import { toldValue } from '@wharf/platform/told-value.ts'
import type { Candidate } from './candidates.ts'

/** As much of a host record as a candidate can be known by. */
export interface AddedHost {
  readonly address: string
  readonly sn: string | null
  /** The management node whose machine it is, when it is one. */
  readonly managementNodeUuid: string | null
}

/** Tells whether a candidate is one of these hosts: by its serial number, or by an address or name of it. */
export function addedAmong(hosts: readonly AddedHost[]): (candidate: Candidate) => boolean {
  const serials = new Set(hosts.flatMap(({ sn }) => toldValue(sn ?? '') ?? []))
  const places = new Set(hosts.map(({ address }) => placeKey(address)))
  const nodes = new Set(hosts.flatMap(({ managementNodeUuid }) => managementNodeUuid ?? []))
  return ({ sn, hostName, addresses, nodeUuid }) => {
    const names = hostName === null ? [] : [hostName, `${hostName}.local`]
    const isKnown = (sn !== null && serials.has(sn)) || (nodeUuid !== null && nodes.has(nodeUuid))
    return isKnown || [...addresses, ...names].some((place) => places.has(placeKey(place)))
  }
}

/** Equal for what leads to the same place: addresses however they are written, names without case. */
function placeKey(text: string): string {
  const address = parseAddress(text.replace(/^\[|\]$/g, '').replace(/%.*$/, ''))
  return address?.toString() ?? text.toLowerCase().replace(/\.$/, '')
}
