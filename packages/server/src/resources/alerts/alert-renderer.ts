import { invalid } from '@wharf/platform/api-error.ts'
import type { Log } from '@wharf/platform/log.ts'
import { escapeMarkdown } from '../chat-endpoints/service.ts'
import { exampleAlert } from './example-alert.ts'
import { TemplateError, type TemplateRenderer } from './template-renderer.ts'
import { templateScope } from './template-scope.ts'
import { type IncomingAlert, readAlert } from './webhook.ts'

/** For all alerts of one webhook: its sender waits for the response, and other platforms for the thread. */
const maxTotalMs = 5000
const maxLineLength = 2000

interface Platform {
  readonly uuid: string
  readonly name: string
  readonly template: string
}

interface Attempt {
  readonly text?: string
  readonly failure?: string
  readonly ms: number
  /** Not caused by the template: the next alert would fail too. */
  readonly isInternal?: boolean
}

interface AlertRendererDeps {
  readonly templates: TemplateRenderer
  readonly log: Log
  readonly formatTimestamp: (ms: number) => string
  readonly settings: { timezone: string }
}

/** Renders the alerts of a platform with its template. */
export class AlertRenderer {
  readonly #deps: AlertRendererDeps
  readonly #formatTime: (ms: number) => string

  constructor(deps: AlertRendererDeps) {
    this.#deps = deps
    this.#formatTime = (ms) => `${deps.formatTimestamp(ms)} ${deps.settings.timezone}`
  }

  /** An alert is never lost because of its template: when that fails, the text is rendered without it. */
  async textsOf(platform: Platform, alerts: readonly IncomingAlert[]): Promise<string[]> {
    const texts: string[] = []
    let spentMs = 0
    let commonFailure: string | undefined
    for (const alert of alerts) {
      if (spentMs > maxTotalMs) commonFailure ??= 'it takes too long for so many alerts'
      const attempt: Attempt =
        commonFailure === undefined ? await this.#attempt(platform, alert) : { failure: commonFailure, ms: 0 }
      spentMs += attempt.ms
      if (attempt.isInternal) commonFailure = attempt.failure
      texts.push(attempt.text ?? this.#plainText(platform, alert, attempt.failure ?? ''))
    }
    return texts
  }

  async #attempt(platform: Platform, alert: IncomingAlert): Promise<Attempt> {
    let startedAt = performance.now()
    const elapsed = (): number => performance.now() - startedAt
    try {
      // the thread of a terminated template has ended; the start of a new one does not count for the next
      await this.#deps.templates.ready()
      startedAt = performance.now()
      return { text: await this.#render(platform, alert), ms: elapsed() }
    } catch (error) {
      this.#deps.log.warn({ err: error, platform: platform.uuid }, 'the template of an alert platform failed')
      if (error instanceof TemplateError) return { failure: error.message, ms: elapsed() }
      return { failure: 'it could not be rendered', ms: elapsed(), isInternal: true }
    }
  }

  /** Throws for a template that cannot be used. */
  async check(platform: Platform): Promise<void> {
    await this.preview(platform, {})
  }

  /** `alert` needs only the fields that matter to the template. */
  async preview(platform: Platform, alert: Readonly<Record<string, unknown>>): Promise<string> {
    const read = readAlert({ ...exampleAlert, ...alert }, 'alert')
    try {
      return await this.#render(platform, read)
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      throw invalid(`template cannot be used: ${error.message}`)
    }
  }

  #render(platform: Platform, alert: IncomingAlert): Promise<string> {
    return this.#deps.templates.render(platform.template, templateScope(alert, platform, this.#formatTime))
  }

  #plainText({ name }: Platform, { status, labels, annotations, startsAt }: IncomingAlert, failure: string): string {
    const { summary, description } = annotations
    const lines = [summary, description, labels.instance, `${status} since ${this.#formatTime(startsAt)}`]
    const shown = lines.filter((line) => line !== undefined).map((line) => plain(line.slice(0, maxLineLength)))
    return [...shown, `(The template of ${plain(name)} failed: ${plain(failure)})`].join('\n')
  }
}

const plain = (text: string): string => escapeMarkdown(text.replaceAll('\0', '').toWellFormed())
