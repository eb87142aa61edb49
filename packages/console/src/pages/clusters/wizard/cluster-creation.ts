import { addClusterPlugin, updateClusterConfig } from '@wharf/contract'
import type { Wharf } from '@wharf/sdk'
import type { ApiCall } from '../../../components/copy-command/command-text.ts'
import { type ClusterForm, configurationInput, pluginInput } from './cluster-form.ts'

type Server = Pick<Wharf, 'start'> & { readonly clusterPlugins: Pick<Wharf['clusterPlugins'], 'add' | 'remove'> }

/** What the wizard calls; the uuid of a new cluster is not known before. */
export function creationCalls(form: ClusterForm, pluginUuid: string | undefined): ApiCall[] {
  const configuration = { operation: updateClusterConfig, input: configurationInput(form, pluginUuid ?? '') }
  if (pluginUuid !== undefined) return [configuration]
  const addition = { operation: addClusterPlugin, input: pluginInput(form) }
  return form.kind === 'takeover' ? [addition] : [addition, configuration]
}

/** Creates a new cluster. A rejected configuration leaves no cluster behind. */
export class ClusterCreation {
  readonly #wharf: Server
  /** Added for a rejected configuration, and not removed yet. */
  #leftoverUuid: string | undefined

  constructor(wharf: Server) {
    this.#wharf = wharf
  }

  get leftoverUuid(): string | undefined {
    return this.#leftoverUuid
  }

  /** Adds the cluster, starts its configuration, and returns its uuid. */
  async form(form: ClusterForm): Promise<string> {
    await this.removeLeftover()
    const { uuid } = (await this.#wharf.clusterPlugins.add(pluginInput(form))).inventory
    if (form.kind === 'takeover') return uuid
    this.#leftoverUuid = uuid
    try {
      await this.#wharf.start(updateClusterConfig, configurationInput(form, uuid))
    } catch (refusal) {
      // reports the rejection; the removal is retried before the next attempt
      await this.removeLeftover().catch(() => {})
      throw refusal
    }
    this.#leftoverUuid = undefined
    return uuid
  }

  /** Removes the cluster that a rejected attempt left. */
  async removeLeftover(): Promise<void> {
    if (this.#leftoverUuid === undefined) return
    await this.#wharf.clusterPlugins.remove(this.#leftoverUuid)
    this.#leftoverUuid = undefined
  }
}
