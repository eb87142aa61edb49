import { type SystemEventName, systemEventNames } from '@wharf/contract'
import { invalid } from '@wharf/platform/api-error.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { Log } from '@wharf/platform/log.ts'
import type { ServerAddress } from '@wharf/platform/server-address.ts'
import { TemplateError, type TemplateRenderer } from '../alerts/service.ts'
import { type ChatMessage, escapeMarkdown, type TemplatedEndpoint } from '../chat-endpoints/service.ts'
import { defaultTemplates } from './default-templates.ts'
import { exampleEvent } from './example-event.ts'
import { type DatedEvent, datedEvent, plainMessage } from './plain-message.ts'
import { templateScope } from './template-scope.ts'

interface SystemEventRendererDeps {
  readonly templates: TemplateRenderer
  readonly clock: Clock
  readonly log: Log
  readonly formatTimestamp: (ms: number) => string
  readonly ownAddress: ServerAddress
  readonly settings: { readonly timezone: string }
}

/** Renders events with the template of an endpoint. */
export class SystemEventRenderer {
  readonly #deps: SystemEventRendererDeps

  constructor(deps: SystemEventRendererDeps) {
    this.#deps = deps
  }

  /** The text of an event as `SystemEvents` stored it. It is never lost because of its template. */
  async render(ownEventData: string, endpoint: TemplatedEndpoint): Promise<string> {
    const event = JSON.parse(ownEventData) as DatedEvent
    try {
      // the thread of a terminated template has ended; the start of a new one does not count for this one
      await this.#deps.templates.ready()
      return await this.#render(event, endpoint)
    } catch (error) {
      this.#deps.log.warn({ err: error, endpoint: endpoint.uuid }, 'the template of a chat endpoint failed')
      const failure = error instanceof TemplateError ? error.message : 'it could not be rendered'
      const { text } = plainMessage(event, endpoint.language)
      return `${text}\n(${escapeMarkdown(`The template of ${endpoint.name} failed: ${failure}`)})`
    }
  }

  /** Throws for a template that fails for any event. */
  async check(endpoint: TemplatedEndpoint): Promise<void> {
    for (const event of systemEventNames) await this.exampleMessage(event, endpoint)
  }

  /** The message about an event that did not happen; throws for a template that cannot be used. */
  async exampleMessage(event: SystemEventName, endpoint: TemplatedEndpoint): Promise<ChatMessage> {
    const example = exampleEvent(event)
    try {
      const text = await this.#render(datedEvent(example, this.#deps.clock.now()), endpoint)
      return { ...plainMessage(example, endpoint.language), text }
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      throw invalid(`ownEventTemplate cannot be used: ${error.message}`)
    }
  }

  #render(event: DatedEvent, { language, ownEventTemplate }: TemplatedEndpoint): Promise<string> {
    const { templates, formatTimestamp, ownAddress, settings } = this.#deps
    const scope = templateScope(event, {
      language,
      formatTime: (ms) => `${formatTimestamp(ms)} ${settings.timezone}`,
      consoleUrl: ownAddress.isLoopback ? undefined : ownAddress.url,
    })
    return templates.render(ownEventTemplate ?? defaultTemplates[language], scope)
  }
}
