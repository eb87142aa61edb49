import { networkInterfaces } from 'node:os'
import type { Facts } from './facts.ts'
import { LinkAnnouncer } from './link-announcer.ts'
import type { InterfaceChoice, Link } from './multicast/links.ts'
import { MulticastPorts } from './multicast/ports.ts'
import { namesOf, recordsOn } from './records.ts'

export interface AnnounceOptions {
  readonly facts: Facts
  readonly interfaces?: InterfaceChoice
  /** Sends a goodbye, then ends the announcement. */
  readonly signal: AbortSignal
  trouble?(name: string, error: Error): void
  /** Isolates tests from each other. */
  readonly port?: number
}

/** RFC 6762, 8.1: after this many conflicts, at most one new name per five seconds. */
const fastRenames = 15
const slowRenameMs = 5000

/** Announces this host on every link until the signal aborts. */
export async function announce({ facts, interfaces = 'all', signal, trouble, port }: AnnounceOptions): Promise<void> {
  const links = new Map<string, { link: Link; announcer: LinkAnnouncer }>()
  let attempt = 1

  const startOn = (link: Link, delayMs?: number): void => {
    links.get(link.name)?.announcer.stop()
    const names = namesOf(facts, attempt)
    const announcer = new LinkAnnouncer({
      names,
      records: recordsOn(link, names, facts),
      ownAddresses: ownAddresses(),
      send: (message) => ports.send(link.name, message),
      onConflict: rename,
    })
    links.set(link.name, { link, announcer })
    announcer.start(delayMs)
  }
  const rename = (): void => {
    attempt++
    for (const { link } of links.values()) startOn(link, attempt > fastRenames ? slowRenameMs : undefined)
  }
  const ports = new MulticastPorts({
    interfaces,
    message: (message, from) => links.get(from.link.name)?.announcer.receive(message, from),
    up: startOn,
    down: (name) => {
      links.get(name)?.announcer.stop()
      links.delete(name)
    },
    ...(trouble && { trouble }),
    ...(port !== undefined && { port }),
  })

  await ports.start()
  await untilAborted(signal)
  await Promise.all([...links.values()].map(({ announcer }) => announcer.goodbye()))
  await ports.close()
}

const ownAddresses = (): Set<string> =>
  new Set(Object.values(networkInterfaces()).flatMap((infos = []) => infos.map(({ address }) => address)))

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
