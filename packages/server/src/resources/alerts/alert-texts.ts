import { invalid } from '@wharf/platform/api-error.ts'
import type { Log } from '@wharf/platform/log.ts'
import { escapeMarkdown } from '../chat-endpoints/service.ts'
import { exampleAlert } from './example-alert.ts'
import { templateScope } from './template-scope.ts'
import { TemplateFailure, type Templates } from './templates.ts'
import { type IncomingAlert, readAlert } from './webhook.ts'

/** For the alerts of one webhook together: whoever sends them waits for the answer, and other platforms for their turn. */
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
  /** Not the template's: another alert would fare no better. */
  readonly isOurFault?: boolean
}

/** What a platform's template makes of its alerts. */
export class AlertTexts {
  readonly #templates: Templates
  readonly #log: Log
  readonly #formatTime: (ms: number) => string

  constructor(parts: {
    templates: Templates
    log: Log
    formatTimestamp: (ms: number) => string
    settings: { timezone: string }
  }) {
    this.#templates = parts.templates
    this.#log = parts.log
    this.#formatTime = (ms) => `${parts.formatTimestamp(ms)} ${parts.settings.timezone}`
  }

  /** An alert is never lost for its template: one that this fails with is told without it. */
  async textsOf(platform: Platform, alerts: readonly IncomingAlert[]): Promise<string[]> {
    const texts: string[] = []
    let spentMs = 0
    let forAll: string | undefined
    for (const alert of alerts) {
      if (spentMs > maxTotalMs) forAll ??= 'it takes too long for so many alerts'
      const tried: Attempt = forAll === undefined ? await this.#attempt(platform, alert) : { failure: forAll, ms: 0 }
      spentMs += tried.ms
      if (tried.isOurFault) forAll = tried.failure
      texts.push(tried.text ?? this.#plainText(platform, alert, tried.failure ?? ''))
    }
    return texts
  }

  async #attempt(platform: Platform, alert: IncomingAlert): Promise<Attempt> {
    let began = performance.now()
    const elapsed = (): number => performance.now() - began
    try {
      // one that was cut off took its thread with it: that the next must wait for another is not its fault
      await this.#templates.ready()
      began = performance.now()
      return { text: await this.#render(platform, alert), ms: elapsed() }
    } catch (error) {
      this.#log.warn({ err: error, platform: platform.uuid }, 'the template of an alert platform failed')
      if (error instanceof TemplateFailure) return { failure: error.message, ms: elapsed() }
      return { failure: 'it could not be rendered', ms: elapsed(), isOurFault: true }
    }
  }

  /** Refuses a template that cannot be used. */
  async check(platform: Platform): Promise<void> {
    await this.preview(platform, {})
  }

  /** Of the alert that is given only the parts that matter to the template need to be told. */
  async preview(platform: Platform, alert: Readonly<Record<string, unknown>>): Promise<string> {
    const read = readAlert({ ...exampleAlert, ...alert }, 'alert')
    try {
      return await this.#render(platform, read)
    } catch (error) {
      if (!(error instanceof TemplateFailure)) throw error
      throw invalid(`template cannot be used: ${error.message}`)
    }
  }

  #render(platform: Platform, alert: IncomingAlert): Promise<string> {
    return this.#templates.render(platform.template, templateScope(alert, platform, this.#formatTime))
  }

  #plainText({ name }: Platform, { status, labels, annotations, startsAt }: IncomingAlert, failure: string): string {
    const { summary, description } = annotations
    const lines = [summary, description, labels.instance, `${status} since ${this.#formatTime(startsAt)}`]
    const told = lines.filter((line) => line !== undefined).map((line) => plain(line.slice(0, maxLineLength)))
    return [...told, `(The template of ${plain(name)} failed: ${plain(failure)})`].join('\n')
  }
}

const plain = (text: string): string => escapeMarkdown(text.replaceAll('\0', '').toWellFormed())
