const shown = '[secret]'

/** A text that cannot be printed by accident: everything but `reveal()` returns a placeholder. */
export class Secret {
  readonly #value: string

  private constructor(value: string) {
    this.#value = value
  }

  static of(value: string): Secret {
    return new Secret(value)
  }

  /** The only access to the value, so that a search for its name finds every use. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return shown
  }

  toJSON(): string {
    return shown
  }

  [Symbol.toPrimitive](): string {
    return shown
  }

  /** What console.log, util.inspect and failed assertions show. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return shown
  }
}
