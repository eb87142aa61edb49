import type { Transaction } from 'kysely'
import type { Tables } from './tables.ts'

type Attached<Value> = Record<symbol, Value | undefined>

/** A value that belongs to each transaction. It is a property: a WeakMap takes several times as long for keys that live so briefly. */
export class TransactionValue<Value> {
  readonly #key = Symbol()

  get(tx: Transaction<Tables>): Value | undefined {
    return (tx as unknown as Attached<Value>)[this.#key]
  }

  set(tx: Transaction<Tables>, value: Value): void {
    const attached = tx as unknown as Attached<Value>
    attached[this.#key] = value
  }
}
