import { type Content, type Html, html } from './html.ts'

/** `label` says what it is; the script of the page fills in the copy button. */
export const codeBlock = (label: string, content: Content): Html =>
  html`<figure class="code"><figcaption>${label}</figcaption><pre tabindex="0"><code>${content}</code></pre></figure>`

/** JSON as `JSON.stringify` writes it, with its names and values told apart. */
export const colouredJson = (text: string): Content =>
  text.split(/("(?:[^"\\]|\\.)*"(?:\s*:)?)/).map((part): Content => {
    if (!part.startsWith('"')) return part
    const name = part.endsWith(':')
    return name ? [html`<b>${part.slice(0, -1)}</b>`, ':'] : html`<i>${part}</i>`
  })
