import { RE2JS } from 're2js'
import { classSize } from './class-size.ts'
import {
  characterFuel,
  classFuel,
  type Fuel,
  instructionFuel,
  OutOfFuel,
  placeFuel,
  stateFuel,
  writtenFuel,
} from './fuel.ts'

const flags = RE2JS.CASE_INSENSITIVE | RE2JS.DOTALL
/** Of an automaton before it is begun anew; more only serves patterns that make a state per character. */
const maxAutomatonBytes = 512 * 1024
/** Finding what a group holds is dearer than finding a match: instructions × characters that are worth it. */
const maxGroupWork = 250_000

/** What the engine writes for these flags before a pattern. */
const writtenFlags = '(?s)(?i)'

/** Throws with the reason when it is no pattern. */
export function readPattern(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, flags)
  } catch (cause) {
    // it may repeat the pattern, and must repeat it as it was written
    throw new SyntaxError((cause as Error).message.replace(`\`${writtenFlags}`, '`'), { cause })
  }
}

/** A pattern in use. Its automaton is made as texts need it, and every part of it is paid for. */
export class Pattern {
  readonly #compiled: RE2JS
  readonly #made: (size: number) => void
  #fuel: Fuel | undefined

  constructor(source: string, fuel: Fuel, made: (size: number) => void) {
    fuel.spend(source.length * writtenFuel + classSize(source) * classFuel)
    this.#compiled = readPattern(source)
    this.#made = made
    const size = this.#compiled.programSize()
    fuel.spend(size * instructionFuel)
    made(size)
    this.#meter()
  }

  test(text: string, fuel: Fuel): boolean {
    fuel.spend(text.length * characterFuel)
    this.#fuel = fuel
    return this.#compiled.test(text)
  }

  /** What its named groups hold; nothing when that would take long. */
  groups(text: string): Readonly<Record<string, string | null>> {
    if (text.length * this.#compiled.programSize() > maxGroupWork) return {}
    const matcher = this.#compiled.matcher(text)
    return matcher.find() ? matcher.getNamedGroups() : {}
  }

  /**
   * The engine makes a state of its automaton whenever it meets a new one, and turns to a slower machine when they
   * are too many. Here the first is charged, and the second does not happen: it is out of fuel.
   */
  #meter(): void {
    const machine = this.#compiled.re2()
    // which texts are worth a try is known before, and its other ways of finding out count nothing
    machine.prefilter = null
    ;(machine as { onepass: unknown }).onepass = null
    machine.prefixComplete = false
    const automaton = machine.dfa
    const makeState = automaton.makeState.bind(automaton)
    const stepOrReset = automaton.stepOrReset.bind(automaton)
    automaton.stateBudget = maxAutomatonBytes
    automaton.memBudget = maxAutomatonBytes
    automaton.makeState = (places: number[], flag: number, ids: number[]) => {
      const state = makeState(places, flag, ids)
      const size = state?.nfaStates.length ?? places.length
      this.#made(size)
      this.#fuel?.spend(stateFuel + size * placeFuel)
      return state
    }
    automaton.stepOrReset = (...step: Parameters<typeof stepOrReset>) => {
      const next = stepOrReset(...step)
      if (next === null) throw new OutOfFuel()
      return next
    }
  }
}
