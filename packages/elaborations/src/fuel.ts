/**
 * What one lookup may cost. A unit is some 8 ns, so the whole is about 16 ms, and a set and a text that were made to be
 * slow end well below 50.
 */
export const lookupFuel = 2_000_000

/** An alternative of a pattern that a text may match; every three characters that it needs are one more. */
export const alternativeFuel = 4

/** A character that a finished automaton looks at. */
export const characterFuel = 2

/** A character of an entry that is searched for a keyword. */
export const scanFuel = 1.25

/** Making a part of an automaton: for itself, and for each place of the pattern that it stands for. */
export const stateFuel = 120
export const placeFuel = 25
/** Reading a pattern: for each character it is written with, each that its classes stand for, and each instruction. */
export const writtenFuel = 100
export const classFuel = 7
export const instructionFuel = 60

/** Thrown to whoever spends more than there is. */
export class OutOfFuel extends Error {}

/** Counts work instead of time, so that a lookup is refused for what it is and not for a busy machine. */
export class Fuel {
  #left: number

  constructor(amount = lookupFuel) {
    this.#left = amount
  }

  get left(): number {
    return this.#left
  }

  spend(amount: number): void {
    this.#left -= amount
    if (this.#left < 0) throw new OutOfFuel()
  }
}
