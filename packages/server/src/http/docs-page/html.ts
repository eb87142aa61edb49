/** Markup that is safe to send. Everything else is text, and becomes markup only by being escaped. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

export type Content = Html | string | number | undefined | readonly Content[]

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => entities[letter] ?? '')

function markupOf(content: Content): string {
  if (content === undefined) return ''
  if (content instanceof Html) return content.markup
  return typeof content === 'object' ? content.map(markupOf).join('') : escaped(String(content))
}

/** html`<p>${text}</p>` */
export const html = (parts: TemplateStringsArray, ...contents: Content[]): Html =>
  new Html(parts.map((part, index) => part + markupOf(contents[index])).join(''))

/** Blank lines separate paragraphs, backticks mark code: all that the contract's descriptions use. */
export const prose = (text: string): Html[] =>
  text.split(/\n\s*\n/).map((paragraph) => html`<p>${inline(paragraph)}</p>`)

export const inline = (text: string): Content =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))
