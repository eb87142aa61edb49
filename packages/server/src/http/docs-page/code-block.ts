import { type Content, type Html, html } from './html.ts'

/** The script of the page adds the copy button. */
export const codeBlock = (label: string, content: Content): Html =>
  html`<figure class="code"><figcaption>${label}</figcaption><pre tabindex="0"><code>${content}</code></pre></figure>`

/** JSON of `JSON.stringify` with names and values in different colours. */
export const colouredJson = (text: string): Content =>
  text.split(/("(?:[^"\\]|\\.)*"(?:\s*:)?)/).map((part): Content => {
    if (!part.startsWith('"')) return part
    const name = part.endsWith(':')
    return name ? [html`<b>${part.slice(0, -1)}</b>`, ':'] : html`<i>${part}</i>`
  })
