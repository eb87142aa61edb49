import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'

/** The interfaces to use, by name; `all` excludes loopback. */
export type InterfaceChoice = 'all' | readonly string[]

/** An interface that is up, with its current addresses. */
export interface Link {
  readonly name: string
  readonly ipv4: readonly string[]
  readonly ipv6: readonly string[]
  /** The subnets of the link in CIDR notation. */
  readonly networks: readonly string[]
  /** Changes with every property of the interface. */
  readonly signature: string
}

/** A container host has hundreds of interfaces; discovery must not open a thousand sockets. */
const maxLinks = 64

export function currentLinks(choice: InterfaceChoice, found = networkInterfaces()): Link[] {
  return Object.entries(found)
    .map(([name, infos = []]) => linkOf(name, infos))
    .filter(({ name, isLoopback }) => (choice === 'all' ? !isLoopback : choice.includes(name)))
    .sort((a, b) => Math.min(b.ipv4.length, 1) - Math.min(a.ipv4.length, 1))
    .slice(0, maxLinks)
}

function linkOf(name: string, infos: readonly NetworkInterfaceInfo[]): Link & { isLoopback: boolean } {
  const of = (family: string): string[] => infos.filter((info) => info.family === family).map((info) => info.address)
  return {
    name,
    ipv4: of('IPv4'),
    ipv6: of('IPv6'),
    networks: infos.flatMap(({ cidr }) => cidr ?? []),
    // a recreated interface has another index or MAC address
    signature: infos.map((info) => `${info.cidr} ${info.mac} ${info.family === 'IPv6' ? info.scopeid : ''}`).join(),
    isLoopback: infos.every((info) => info.internal),
  }
}
