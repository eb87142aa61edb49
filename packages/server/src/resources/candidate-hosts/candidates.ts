import { unescapeLabel } from '@wharf/announcer/dns/names.ts'
import type { CandidateHost as CandidateHostRecord } from '@wharf/contract'
import { toldText, toldValue } from '@wharf/platform/told-value.ts'
import type { Static } from 'typebox'
import type { AnnouncedService } from './discovery/announced-service.ts'

export type CandidateHost = Static<typeof CandidateHostRecord.schema>

/** A host that has been seen, with all that it can be known again by. */
export interface Candidate extends CandidateHost {
  /** Whoever has the same is the same host. */
  readonly identity: string
  readonly addresses: readonly string[]
  /** The management node whose machine it is. */
  readonly nodeUuid: string | null
}

/** The contract promises no more. */
export const maxCandidates = 4096
const maxAddresses = 64

/** `here` are the node that has seen it and that node's own addresses. */
export function candidateOf(
  service: AnnouncedService,
  here: { nodeUuid: string; addresses: ReadonlySet<string> },
): Candidate {
  const { facts, host, link, name } = service
  const told = (text: string | undefined): string | null => toldValue(text ?? '')
  const [sn, id] = [told(facts.sn), told(facts.id)]
  const [ipv4, ipv6] = [host?.addresses.ofType('A') ?? [], host?.addresses.ofType('AAAA') ?? []]
  return {
    identity: sn ? `sn:${sn}` : id ? `id:${id}` : `name:${link}/${toldText(name)}`,
    hostName: toldText(unescapeLabel((host?.name ?? '').replace(/\.local$/i, ''))),
    ipv4Address: ipv4[0] ?? null,
    ipv6Address: ipv6[0] ?? null,
    ipv4Interface: toldText(host?.addresses.interfaceOf(ipv4[0]) ?? facts.ipv4Interface ?? ''),
    ipv6Interface: toldText(host?.addresses.interfaceOf(ipv6[0]) ?? facts.ipv6Interface ?? ''),
    manufacturer: told(facts.manufacturer),
    product: told(facts.product),
    sn,
    addresses: [...ipv4, ...ipv6],
    nodeUuid: [...ipv4, ...ipv6].some((address) => here.addresses.has(address)) ? here.nodeUuid : null,
  }
}

/** One for each host, however often it was seen; earlier sightings count more. */
export function merged(candidates: Iterable<Candidate>): Candidate[] {
  const byIdentity = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const known = byIdentity.get(candidate.identity)
    if (known) byIdentity.set(candidate.identity, together(known, candidate))
    else if (byIdentity.size < maxCandidates) byIdentity.set(candidate.identity, candidate)
  }
  return [...byIdentity.values()].sort(byName)
}

/** An address and its interface come from the same sighting. */
function together(first: Candidate, second: Candidate): Candidate {
  const { ipv4Address, ipv4Interface } = first.ipv4Address === null ? second : first
  const { ipv6Address, ipv6Interface } = first.ipv6Address === null ? second : first
  return {
    identity: first.identity,
    hostName: first.hostName ?? second.hostName,
    ipv4Address,
    ipv6Address,
    ipv4Interface,
    ipv6Interface,
    manufacturer: first.manufacturer ?? second.manufacturer,
    product: first.product ?? second.product,
    sn: first.sn,
    addresses: [...new Set([...first.addresses, ...second.addresses])].slice(0, maxAddresses),
    nodeUuid: first.nodeUuid ?? second.nodeUuid,
  }
}

const byName = (a: Candidate, b: Candidate): number =>
  compare(a.hostName ?? '', b.hostName ?? '') || compare(a.identity, b.identity)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
