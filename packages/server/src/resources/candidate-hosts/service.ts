import { networkInterfaces } from 'node:os'
import type { InterfaceChoice } from '@wharf/announcer/multicast/links.ts'
import type { Database } from '@wharf/database/database.ts'
import type { Log } from '@wharf/platform/log.ts'
import type { Caller } from '../../calls/caller.ts'
import { type HostService, isHostInScope } from '../hosts/service.ts'
import { type Candidate, candidateOf, mergeCandidates } from './candidates.ts'
import { Browser } from './discovery/browser.ts'
import { matchAddedHosts } from './match-added-hosts.ts'
import { SharedSightings } from './shared-sightings.ts'

interface CandidateHostDeps {
  readonly database: Database
  readonly log: Log
  readonly nodeUuid: string
  readonly hosts: HostService
  readonly settings: { readonly discovery: InterfaceChoice }
}

/** The hosts that announce themselves, to this node or another. */
export class CandidateHostService {
  readonly #deps: CandidateHostDeps
  readonly #shared: SharedSightings
  #browser: Browser | undefined
  #merged: { version: number; candidates: Candidate[] } = { version: 0, candidates: [] }

  constructor(deps: CandidateHostDeps) {
    this.#deps = deps
    this.#shared = new SharedSightings({ ...deps, version: () => this.#version, candidates: () => this.#own() })
  }

  async start(): Promise<void> {
    const { discovery: interfaces } = this.#deps.settings
    // removes the rows of an earlier process of this node
    await this.#shared.share()
    if (interfaces.length === 0) return
    this.#browser = new Browser({ ...this.#deps, interfaces })
    await this.#browser.start()
    this.#shared.start()
  }

  async stop(): Promise<void> {
    this.#shared.stop()
    await this.#browser?.stop()
    this.#browser = undefined
    await this.#shared.share().catch(() => {}) // the other nodes ignore the rows of a lost node
  }

  async list(
    { local = false, configure = false }: { local?: boolean; configure?: boolean },
    caller: Pick<Caller, 'scope'>,
  ): Promise<Candidate[]> {
    const own = this.#own()
    if (local && configure) return this.#withinScope(own, caller)
    const all = mergeCandidates([...own, ...(await this.#shared.candidatesOfOthers())])
    const shown = local ? own : all
    if (configure) return this.#withinScope(shown, caller)
    const isAdded = matchAddedHosts(await this.#deps.hosts.listIdentities())
    const added = new Set(all.filter(isAdded).map(({ identity }) => identity))
    return shown.filter(({ identity }) => !added.has(identity))
  }

  /** Without the hosts that were added outside the scope of the caller. */
  async #withinScope(candidates: Candidate[], caller: Pick<Caller, 'scope'>): Promise<Candidate[]> {
    if (caller.scope === undefined) return candidates
    const outside = (await this.#deps.hosts.listIdentities()).filter((host) => !isHostInScope(host, caller))
    const isAdded = matchAddedHosts(outside)
    return candidates.filter((candidate) => !isAdded(candidate))
  }

  get #version(): number {
    return this.#browser?.sightings.version ?? 0
  }

  #own(): Candidate[] {
    const { sightings } = this.#browser ?? {}
    if (sightings === undefined) return []
    if (this.#merged.version !== sightings.version) {
      const here = { nodeUuid: this.#deps.nodeUuid, addresses: ownAddresses() }
      const seen = sightings.listPresent().map((service) => candidateOf(service, here))
      this.#merged = { version: sightings.version, candidates: mergeCandidates(seen) }
    }
    return this.#merged.candidates
  }
}

const ownAddresses = (): Set<string> =>
  new Set(Object.values(networkInterfaces()).flatMap((infos = []) => infos.map(({ address }) => address)))
