import type { ResourceRecord } from './dns/message.ts'
import { cutLabel, cutToBytes, escapeLabel } from './dns/names.ts'
import type { Facts } from './facts.ts'
import type { Link } from './multicast/links.ts'
import { maxTxtBytes, serviceType, type Txt, txtKeys } from './service-type.ts'

/** A node considers a host gone when its addresses expire. */
const addressTtlSeconds = 10
/** RFC 6762, 10: records that contain the host name, and all others. */
const hostTtlSeconds = 120
const otherTtlSeconds = 4500
/** Wharf connects to the host's sshd. */
const sshPort = 22

export interface Names {
  readonly host: string
  readonly instance: string
}

/** `attempt` grows with each name conflict: web, web-2, web-3, … */
export function namesOf({ hostName }: Facts, attempt: number): Names {
  const suffix = attempt === 1 ? '' : `-${attempt}`
  const first = hostName.split('.')[0] || 'host'
  const label = escapeLabel(`${cutLabel(first, suffix.length)}${suffix}`)
  return { host: `${label}.local`, instance: `${label}.${serviceType}` }
}

/** The strings of a TXT record, each cut to the maximum length. */
export const txtStrings = (txt: Txt): string[] =>
  txtKeys.flatMap((key) => (txt[key] ? [cutToBytes(`${key}=${txt[key]}`, maxTxtBytes)] : []))

export interface HostRecords {
  /** RFC 6762, 2: other hosts may have records of this name and type. */
  readonly shared: readonly ResourceRecord[]
  /** Only this host may have records of this name and type. */
  readonly unique: readonly ResourceRecord[]
}

/** The records of the host on one link: its addresses there and the name of the interface. */
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

/** Omits link-local addresses unless there are no others. */
function routable(addresses: readonly string[]): readonly string[] {
  const global = addresses.filter((address) => !/^fe[89ab]/i.test(address))
  return global.length > 0 ? global : addresses
}

/** RFC 6762, 10.1: the same records with a TTL of zero. */
export const goodbyeOf = ({ shared, unique }: HostRecords): ResourceRecord[] =>
  // other hosts still offer this service type
  [...shared.slice(0, 1), ...unique].map((record) => ({ ...record, ttlSeconds: 0 }))
