import { randomBytes } from 'node:crypto'

/** Unique secrets, and a search for them where they must not appear. */
export class Canaries {
  readonly #forms = new Map<string, readonly Buffer[]>()

  /** A new secret, short enough for every field. */
  create(name: string): string {
    const secret = `canary${randomBytes(12).toString('hex')}`
    this.watch(name, secret)
    return secret
  }

  /** A secret that was created elsewhere. */
  watch(name: string, secret: string | Buffer): void {
    this.#forms.set(name, formsOf(Buffer.from(secret)))
  }

  get count(): number {
    return this.#forms.size
  }

  /** The names of the secrets that the content contains, in the clear or in a usual encoding. */
  findIn(content: string | Buffer): string[] {
    const bytes = Buffer.from(content)
    return [...this.#forms].filter(([, forms]) => forms.some((form) => bytes.includes(form))).map(([name]) => name)
  }
}

function formsOf(secret: Buffer): Buffer[] {
  const hex = secret.toString('hex')
  const base64 = [0, 1, 2].map((offset) => base64Inside(secret, offset))
  const texts = [
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ]
  return [secret, ...new Set(texts)].map((form) => Buffer.from(form))
}

/** Its base64 inside of longer content, with this many bytes before it, without the characters shared with neighbours. */
function base64Inside(secret: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), secret]).toString('base64')
  const first = offset === 0 ? 0 : 4
  const whole = Math.floor((offset + secret.length) / 3) * 4
  return text.slice(first, whole)
}
