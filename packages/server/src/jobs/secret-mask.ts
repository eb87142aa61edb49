import { secretForms } from './secret-forms.ts'

const slots = 0x10000
/** Where the first two characters of a form, or the only one, put it. */
const slotOf = (text: string, at: number, length: number): number =>
  (text.charCodeAt(at) * 31 + (length > 1 ? text.charCodeAt(at + 1) : 0)) % slots

/**
 * Finds secrets in every form in one pass over the text. Not by one pattern of all of them: compiling that takes seconds
 * for a configuration of a hundred kilobytes.
 */
export class SecretMask {
  /** By slot, the longest first: a short one may be part of it. */
  readonly #forms: ReadonlyMap<number, readonly string[]>
  readonly #taken = new Uint8Array(slots)
  readonly #hasSingles: boolean
  readonly longest: number

  constructor(secrets: Iterable<string>) {
    const forms = [...new Set([...secrets].flatMap(secretForms))].sort((a, b) => b.length - a.length)
    this.longest = forms[0]?.length ?? 0
    this.#hasSingles = forms.at(-1)?.length === 1
    this.#forms = Map.groupBy(forms, (form) => slotOf(form, 0, form.length))
    for (const slot of this.#forms.keys()) this.#taken[slot] = 1
  }

  mask(text: string): string {
    let masked = ''
    let from = 0
    for (let at = 0; at < text.length; ) {
      const length = this.#lengthAt(text, at)
      if (length === 0) at++
      else {
        masked += `${text.slice(from, at)}[secret]`
        at += length
        from = at
      }
    }
    return masked + text.slice(from)
  }

  /** Of the longest secret that begins there; 0 for none. */
  #lengthAt(text: string, at: number): number {
    const length = at + 1 < text.length ? this.#find(text, at, slotOf(text, at, 2)) : 0
    return length === 0 && this.#hasSingles ? this.#find(text, at, slotOf(text, at, 1)) : length
  }

  #find(text: string, at: number, slot: number): number {
    if (this.#taken[slot] === 0) return 0
    return this.#forms.get(slot)?.find((form) => text.startsWith(form, at))?.length ?? 0
  }
}
