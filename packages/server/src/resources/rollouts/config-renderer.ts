import { configCheck, type JsonSchema } from '@wharf/archives/config-check.ts'
import { invalid } from '@wharf/platform/api-error.ts'
import { BoundedThread, ThreadOverrun } from '@wharf/platform/bounded-thread.ts'
import { configLimits } from './config-limits.ts'
import type { HostScope, RenderedConfig, RenderTask } from './config-worker.ts'

export type { HostScope, RenderedConfig } from './config-worker.ts'

/** Renders and checks the configuration of each host of a rollout, before anything starts. */
export class ConfigRenderer {
  readonly #thread = new BoundedThread<RenderTask, RenderedConfig[]>(new URL('./config-worker.ts', import.meta.url), {
    cpuMs: configLimits.cpuMs,
    wallMs: configLimits.wallMs,
    heapMegabytes: configLimits.heapMegabytes,
  })

  /** One result for each host; undefined for a valid configuration without templates, which is the same for every host. */
  async render(
    config: object,
    schema: JsonSchema | undefined,
    hosts: readonly HostScope[],
  ): Promise<RenderedConfig[] | undefined> {
    if (!/\{\{|\{%/.test(JSON.stringify(config))) {
      const problem = problemOf(config, schema)
      return problem === undefined ? undefined : hosts.map(() => ({ problem }))
    }
    const rendered: RenderedConfig[] = []
    for (let at = 0; at < hosts.length; at += configLimits.hostsAtOnce) {
      const batch = hosts.slice(at, at + configLimits.hostsAtOnce)
      rendered.push(...(await this.#thread.run({ config, schema, hosts: batch }).catch(explainOverrun)))
    }
    return rendered
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

function problemOf(config: object, schema: JsonSchema | undefined): string | undefined {
  if (Buffer.byteLength(JSON.stringify(config)) > configLimits.outputBytes)
    return `config has more than ${configLimits.outputBytes / 1024} KiB`
  const problems = schema === undefined ? [] : configCheck(schema)(config)
  return problems.length === 0 ? undefined : problems.join('; ')
}

function explainOverrun(error: unknown): never {
  if (!(error instanceof ThreadOverrun)) throw error
  throw invalid(
    `params.config: its templates need too much ${error.limit} for ${configLimits.hostsAtOnce} hosts; make them simpler`,
  )
}
