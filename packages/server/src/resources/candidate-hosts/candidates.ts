import { unescapeLabel } from '@wharf/announcer/dns/names.ts'
import type { CandidateHost as CandidateHostRecord } from '@wharf/contract'
import { reportedText, reportedValue } from '@wharf/platform/reported-value.ts'
import type { Static } from 'typebox'
import type { AnnouncedService } from './discovery/announced-service.ts'

export type CandidateHost = Static<typeof CandidateHostRecord.schema>

/** A host that announces itself, with what identifies it. */
export interface Candidate extends CandidateHost {
  /** Equal for the same host. */
  readonly identity: string
  readonly addresses: readonly string[]
  /** The management node whose machine it is. */
  readonly nodeUuid: string | null
}

/** The limit of the contract. */
export const maxCandidates = 4096
const maxAddresses = 64

/** `here`: the node that received the announcement, and its addresses. */
export function candidateOf(
  service: AnnouncedService,
  here: { nodeUuid: string; addresses: ReadonlySet<string> },
): Candidate {
  const { facts, host, link, name } = service
  const value = (text: string | undefined): string | null => reportedValue(text ?? '')
  const [sn, id] = [value(facts.sn), value(facts.id)]
  const [ipv4, ipv6] = [host?.addresses.ofType('A') ?? [], host?.addresses.ofType('AAAA') ?? []]
  return {
    identity: sn ? `sn:${sn}` : id ? `id:${id}` : `name:${link}/${reportedText(name)}`,
    hostName: reportedText(unescapeLabel((host?.name ?? '').replace(/\.local$/i, ''))),
    ipv4Address: ipv4[0] ?? null,
    ipv6Address: ipv6[0] ?? null,
    ipv4Interface: reportedText(host?.addresses.interfaceOf(ipv4[0]) ?? facts.ipv4Interface ?? ''),
    ipv6Interface: reportedText(host?.addresses.interfaceOf(ipv6[0]) ?? facts.ipv6Interface ?? ''),
    manufacturer: value(facts.manufacturer),
    product: value(facts.product),
    sn,
    addresses: [...ipv4, ...ipv6],
    nodeUuid: [...ipv4, ...ipv6].some((address) => here.addresses.has(address)) ? here.nodeUuid : null,
  }
}

/** One candidate per host; values of earlier ones take precedence. */
export function mergeCandidates(candidates: Iterable<Candidate>): Candidate[] {
  const byIdentity = new Map<string, Candidate>()
  for (const candidate of candidates) {
    const known = byIdentity.get(candidate.identity)
    if (known) byIdentity.set(candidate.identity, mergeTwo(known, candidate))
    else if (byIdentity.size < maxCandidates) byIdentity.set(candidate.identity, candidate)
  }
  return [...byIdentity.values()].sort(byName)
}

/** An address and its interface are from the same announcement. */
function mergeTwo(first: Candidate, second: Candidate): Candidate {
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
