import { networkInterfaces } from 'node:os'
import type { Facts } from './facts.ts'
import { LinkAnnouncer } from './link-announcer.ts'
import type { InterfaceChoice, Link } from './multicast/links.ts'
import { MulticastPorts } from './multicast/ports.ts'
import { namesOf, recordsOn } from './records.ts'

export interface AnnounceOptions {
  readonly facts: Facts
  readonly interfaces?: InterfaceChoice
  /** Ends it, with a goodbye. */
  readonly signal: AbortSignal
  trouble?(name: string, error: Error): void
  /** Tests keep apart from each other by it. */
  readonly port?: number
}

/** RFC 6762, 8.1: after this many names in a row that others had, no more than one is tried in five seconds. */
const quickRenames = 15
const slowRenameMs = 5000

/** Announces this host on every link, until the signal comes. */
export async function announce({ facts, interfaces = 'all', signal, trouble, port }: AnnounceOptions): Promise<void> {
  const links = new Map<string, { link: Link; announcer: LinkAnnouncer }>()
  let attempt = 1

  const begin = (link: Link, delayMs?: number): void => {
    links.get(link.name)?.announcer.stop()
    const names = namesOf(facts, attempt)
    const announcer = new LinkAnnouncer({
      names,
      records: recordsOn(link, names, facts),
      ownAddresses: ownAddresses(),
      send: (message) => ports.send(link.name, message),
      taken,
    })
    links.set(link.name, { link, announcer })
    announcer.start(delayMs)
  }
  const taken = (): void => {
    attempt++
    for (const { link } of links.values()) begin(link, attempt > quickRenames ? slowRenameMs : undefined)
  }
  const ports = new MulticastPorts({
    interfaces,
    message: (message, from) => links.get(from.link.name)?.announcer.receive(message, from),
    up: begin,
    down: (name) => {
      links.get(name)?.announcer.stop()
      links.delete(name)
    },
    ...(trouble && { trouble }),
    ...(port !== undefined && { port }),
  })

  await ports.start()
  await aborted(signal)
  await Promise.all([...links.values()].map(({ announcer }) => announcer.goodbye()))
  await ports.close()
}

const ownAddresses = (): Set<string> =>
  new Set(Object.values(networkInterfaces()).flatMap((infos = []) => infos.map(({ address }) => address)))

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
