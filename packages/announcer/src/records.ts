import type { ResourceRecord } from './dns/message.ts'
import { cutLabel, cutToBytes, escapeLabel } from './dns/names.ts'
import type { Facts } from './facts.ts'
import type { Link } from './multicast/links.ts'
import { maxTxtBytes, serviceType, type Txt, txtKeys } from './service-type.ts'

/** A host is thought gone when its addresses have not been told again for this long. */
const addressTtlSeconds = 10
/** RFC 6762, 10: what names a host, and all else. */
const hostTtlSeconds = 120
const otherTtlSeconds = 4500
/** Where a host is taken over from: its sshd. */
const sshPort = 22

export interface Names {
  readonly host: string
  readonly instance: string
}

/** `attempt` counts the names that others have already: web, web-2, web-3, … */
export function namesOf({ hostName }: Facts, attempt: number): Names {
  const suffix = attempt === 1 ? '' : `-${attempt}`
  const first = hostName.split('.')[0] || 'host'
  const label = escapeLabel(`${cutLabel(first, suffix.length)}${suffix}`)
  return { host: `${label}.local`, instance: `${label}.${serviceType}` }
}

/** The strings of a TXT record, each as long as it may be. */
export const txtStrings = (txt: Txt): string[] =>
  txtKeys.flatMap((key) => (txt[key] ? [cutToBytes(`${key}=${txt[key]}`, maxTxtBytes)] : []))

export interface HostRecords {
  /** Others may have the like. */
  readonly shared: readonly ResourceRecord[]
  /** Nobody else may have one under the same name. */
  readonly unique: readonly ResourceRecord[]
}

/** Everything the host says on one link: of its addresses those on this link, and by which interface. */
export function recordsOn(link: Link, names: Names, facts: Facts): HostRecords {
  const addresses = [
    ...link.ipv4.map((address) => ({ type: 'A' as const, address })),
    ...routable(link.ipv6).map((address) => ({ type: 'AAAA' as const, address })),
  ]
  const strings = txtStrings({
    ...facts,
    ipv4Interface: link.ipv4.length > 0 ? link.name : '',
    ipv6Interface: link.ipv6.length > 0 ? link.name : '',
  })
  const long = { ttlSeconds: otherTtlSeconds, flush: false }
  const ofService = { name: names.instance, flush: true }
  return {
    shared: [
      { ...long, type: 'PTR', name: serviceType, target: names.instance },
      { ...long, type: 'PTR', name: '_services._dns-sd._udp.local', target: serviceType },
    ],
    unique: [
      { ...ofService, ttlSeconds: hostTtlSeconds, type: 'SRV', target: names.host, port: sshPort },
      { ...ofService, ttlSeconds: otherTtlSeconds, type: 'TXT', strings },
      ...addresses.map((data) => ({ name: names.host, ttlSeconds: addressTtlSeconds, flush: true, ...data })),
    ],
  }
}

/** A link-local address is of use only where there is no other. */
function routable(addresses: readonly string[]): readonly string[] {
  const wide = addresses.filter((address) => !/^fe[89ab]/i.test(address))
  return wide.length > 0 ? wide : addresses
}

/** RFC 6762, 10.1: the same records, and that they are no more. */
export const goodbyeOf = ({ shared, unique }: HostRecords): ResourceRecord[] =>
  // that the kind of service exists is for all to say
  [...shared.slice(0, 1), ...unique].map((record) => ({ ...record, ttlSeconds: 0 }))
