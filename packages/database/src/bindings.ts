import { invalid } from '@wharf/platform/api-error.ts'
import type { Engine } from './database.ts'
import { maxPatternCharacters } from './read-cost.ts'
import { everyRow } from './read-deadline.ts'

/** The values of a statement in the order of their placeholders; no value ever becomes SQL text. */
export class Bindings {
  readonly engine: Engine
  readonly values: unknown[] = []
  /** Of all patterns together. */
  #patternCharacters = 0
  #hasSubquery = false

  constructor(engine: Engine) {
    this.engine = engine
  }

  bind(value: unknown): string {
    const count = this.values.push(value)
    return this.engine === 'postgres' ? `$${count}` : '?'
  }

  /** SQLite plans the statement again at every call when this is a bare placeholder: a third of the cost of a small page. */
  limit(rows: number): string {
    return this.engine === 'postgres' ? this.bind(rows) : `+${this.bind(rows)}`
  }

  /** One mark however long the list is: the engines limit the placeholders of a statement. */
  among(expression: string, values: readonly unknown[]): string {
    return this.engine === 'postgres'
      ? `${expression} = any(${this.bind(values)})`
      : `${expression} in (select value from json_each(${this.bind(JSON.stringify(values))}))`
  }

  /** SQLite keeps no statistics and assumes that every equality is rare; PostgreSQL has statistics. */
  often(condition: string): string {
    return this.engine === 'postgres' ? condition : `likelihood(${condition}, 0.5)`
  }

  /** A row may take long: it is matched against patterns, or against the rows of another table. */
  get isSlow(): boolean {
    return this.#patternCharacters > 0 || this.#hasSubquery
  }

  /** For rows of another table, which count as visited too. */
  subqueryGuard(): string {
    this.#hasSubquery = true
    return this.engine === 'sqlite' ? ` and ${everyRow}` : ''
  }

  /** Ignores the case of ASCII letters only, on both engines. */
  like(expression: string, pattern: string): string {
    this.#patternCharacters += pattern.length
    if (this.#patternCharacters > maxPatternCharacters)
      throw invalid(
        `q: the patterns of ~= and !~= have more than ${maxPatternCharacters} characters together; use fewer or shorter ones`,
      )
    const placeholder = this.bind(portableLikePattern(pattern))
    return this.engine === 'postgres'
      ? `${expression} collate "C" ilike ${placeholder}`
      : `${expression} like ${placeholder} escape '\\'`
  }
}

/**
 * The engines differ on a backslash before an ordinary character and at the end of a pattern. Here only `\%`, `\_`
 * and `\\` are escapes that remain; before any other character the backslash is removed, and a last one is literal.
 */
export function portableLikePattern(pattern: string): string {
  let from = 0
  let portable = ''
  for (let at = pattern.indexOf('\\'); at !== -1; at = pattern.indexOf('\\', at + 2)) {
    const next = pattern[at + 1]
    if (next === '%' || next === '_' || next === '\\') continue
    portable += pattern.slice(from, at) + (next === undefined ? '\\\\' : '')
    from = at + 1
  }
  return portable + pattern.slice(from)
}
