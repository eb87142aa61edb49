import { updateClusterConfig } from '@wharf/contract'
import type { Wharf } from '@wharf/sdk'
import { type ClusterForm, configurationInput, pluginInput } from './cluster-form.ts'

type Server = Pick<Wharf, 'start'> & { readonly clusterPlugins: Pick<Wharf['clusterPlugins'], 'add' | 'remove'> }

/** Forms a cluster that is not data yet. A configuration that is refused leaves no component behind. */
export class ClusterCreation {
  readonly #wharf: Server
  /** Added for a configuration that was refused, and not removed yet because the server was away. */
  #leftoverUuid: string | undefined

  constructor(wharf: Server) {
    this.#wharf = wharf
  }

  get leftoverUuid(): string | undefined {
    return this.#leftoverUuid
  }

  /** Adds the component as the form says now, starts its configuration, and tells its uuid. */
  async form(form: ClusterForm): Promise<string> {
    await this.removeLeftover()
    const { uuid } = (await this.#wharf.clusterPlugins.add(pluginInput(form))).inventory
    if (form.kind === 'takeover') return uuid
    this.#leftoverUuid = uuid
    try {
      await this.#wharf.start(updateClusterConfig, configurationInput(form, uuid))
    } catch (refusal) {
      // what was refused is told; the component is tried again before the next attempt
      await this.removeLeftover().catch(() => {})
      throw refusal
    }
    this.#leftoverUuid = undefined
    return uuid
  }

  /** Removes what an attempt has left. */
  async removeLeftover(): Promise<void> {
    if (this.#leftoverUuid === undefined) return
    await this.#wharf.clusterPlugins.remove(this.#leftoverUuid)
    this.#leftoverUuid = undefined
  }
}
