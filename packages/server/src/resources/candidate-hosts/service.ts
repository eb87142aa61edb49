import { networkInterfaces } from 'node:os'
import type { InterfaceChoice } from '@wharf/announcer/multicast/links.ts'
import type { Database } from '@wharf/database/database.ts'
import type { Log } from '@wharf/platform/log.ts'
import type { HostService } from '../hosts/service.ts'
import { addedAmong } from './added-hosts.ts'
import { type Candidate, candidateOf, merged } from './candidates.ts'
import { Browser } from './discovery/browser.ts'
import { Sharing } from './sharing.ts'

interface Parts {
  readonly database: Database
  readonly log: Log
  readonly nodeUuid: string
  readonly hosts: HostService
  readonly settings: { readonly discovery: InterfaceChoice }
}

/** The hosts that announce themselves, to this node or to any other. */
export class CandidateHostService {
  readonly #parts: Parts
  readonly #sharing: Sharing
  #browser: Browser | undefined
  #merged: { version: number; candidates: Candidate[] } = { version: 0, candidates: [] }

  constructor(parts: Parts) {
    this.#parts = parts
    this.#sharing = new Sharing({ ...parts, version: () => this.#version, candidates: () => this.#own() })
  }

  async start(): Promise<void> {
    const { discovery: interfaces } = this.#parts.settings
    // whatever this node saw before it was stopped or killed
    await this.#sharing.share()
    if (interfaces.length === 0) return
    this.#browser = new Browser({ ...this.#parts, interfaces })
    await this.#browser.start()
    this.#sharing.start()
  }

  async stop(): Promise<void> {
    this.#sharing.stop()
    await this.#browser?.stop()
    this.#browser = undefined
    await this.#sharing.share().catch(() => {}) // the others see that this node is gone
  }

  async list({ local = false, configure = false }: { local?: boolean; configure?: boolean }): Promise<Candidate[]> {
    const own = this.#own()
    if (local && configure) return own
    const all = merged([...own, ...(await this.#sharing.othersSee())])
    const shown = local ? own : all
    if (configure) return shown
    const isAdded = addedAmong(await this.#parts.hosts.recognition())
    const added = new Set(all.filter(isAdded).map(({ identity }) => identity))
    return shown.filter(({ identity }) => !added.has(identity))
  }

  get #version(): number {
    return this.#browser?.sightings.version ?? 0
  }

  #own(): Candidate[] {
    const { sightings } = this.#browser ?? {}
    if (sightings === undefined) return []
    if (this.#merged.version !== sightings.version) {
      const here = { nodeUuid: this.#parts.nodeUuid, addresses: ownAddresses() }
      const seen = sightings.present().map((service) => candidateOf(service, here))
      this.#merged = { version: sightings.version, candidates: merged(seen) }
    }
    return this.#merged.candidates
  }
}

const ownAddresses = (): Set<string> =>
  new Set(Object.values(networkInterfaces()).flatMap((infos = []) => infos.map(({ address }) => address)))
