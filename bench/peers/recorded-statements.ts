import { DatabaseSync, StatementSync } from 'node:sqlite'
import pg from 'pg'

export interface Ran {
  readonly sql: string
  readonly values: readonly unknown[]
}

/** A transaction from its begin to its commit, or a statement outside of any. */
export type Unit = readonly Ran[]

/** A statement that was sent with the start or the end of its transaction. */
interface Boundaries {
  readonly begins?: boolean
  readonly commits?: boolean
}

type Method = (this: object, ...given: unknown[]) => unknown

/** Records every statement that this process runs through node:sqlite and pg until it is disposed. */
export class RecordedStatements implements Disposable {
  readonly #cleanup = new DisposableStack()
  readonly #open = new Map<object, Ran[]>()
  #units: Unit[] = []

  constructor() {
    const connections = new WeakMap<object, object>()
    this.#around(
      DatabaseSync.prototype,
      'prepare',
      (prepare) =>
        function (...given) {
          const statement = prepare.apply(this, given) as object
          connections.set(statement, this)
          return statement
        },
    )
    const ran = (connection: object, sql: unknown, values: unknown) => this.#ran(connection, String(sql), values)
    this.#around(
      DatabaseSync.prototype,
      'exec',
      (exec) =>
        function (...given) {
          ran(this, given[0], [])
          return exec.apply(this, given)
        },
    )
    for (const name of ['all', 'run'])
      this.#around(
        StatementSync.prototype,
        name,
        (original) =>
          function (...given) {
            ran(connections.get(this) ?? this, (this as StatementSync).sourceSQL, given)
            return original.apply(this, given)
          },
      )
    this.#around(
      pg.Client.prototype,
      'query',
      (query) =>
        function (...given) {
          const [first, values] = given as [string | (pg.QueryConfig & Boundaries), unknown]
          if (typeof first === 'string') ran(this, first, values)
          else {
            if (first.begins) ran(this, 'begin', [])
            ran(this, first.text, first.values)
            if (first.commits) ran(this, 'commit', [])
          }
          return query.apply(this, given)
        },
    )
  }

  /** The units that contain this uuid, in the order of their ends. */
  about(uuid: string): Unit[] {
    const contains = (value: unknown): boolean =>
      Array.isArray(value) ? value.some(contains) : typeof value === 'string' && value.includes(uuid)
    return this.#units.filter((unit) => unit.some(({ values }) => contains(values)))
  }

  [Symbol.dispose](): void {
    this.#cleanup.dispose()
  }

  #ran(connection: object, sql: string, values: unknown): void {
    const one = { sql, values: Array.isArray(values) ? [...values] : [] }
    const transaction = this.#open.get(connection)
    if (/^begin/i.test(sql)) this.#open.set(connection, [one])
    else if (transaction === undefined) this.#units.push([one])
    else {
      transaction.push(one)
      if (!/^(commit|rollback)/i.test(sql)) return
      this.#units.push(transaction)
      this.#open.delete(connection)
    }
  }

  #around(prototype: object, name: string, replace: (original: Method) => Method): void {
    const methods = prototype as Record<string, Method>
    const original = methods[name]
    if (original === undefined) throw new Error(`${name} does not exist`)
    methods[name] = replace(original)
    this.#cleanup.defer(() => {
      methods[name] = original
    })
  }
}
