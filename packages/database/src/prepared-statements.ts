/** Rarer ones are not worth the memory of every connection. */
const preparedAfter = 20
const maxPrepared = 100
const maxCounted = 1000

/**
 * Names for the statements that write most often: PostgreSQL parses and plans a named one once per connection. Not reads,
 * whose best plan depends on their values, nor `returning *`, whose columns change while a newer node migrates, nor
 * lists, which have a text for each length.
 */
export class PreparedStatements {
  readonly #names = new Map<string, string>()
  readonly #uses = new Map<string, number>()

  nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size === maxPrepared || !isPreparable(text)) return known
    const uses = (this.#uses.get(text) ?? 0) + 1
    if (uses < preparedAfter) {
      if (this.#uses.size === maxCounted) this.#uses.clear()
      this.#uses.set(text, uses)
      return undefined
    }
    this.#uses.delete(text)
    const name = `wharf${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}

const isPreparable = (text: string): boolean =>
  /^(insert|update|with "part0" as \(insert) /.test(text) && !text.includes('returning *') && !text.includes(' in (')
