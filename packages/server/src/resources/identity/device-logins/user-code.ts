import { randomInt } from 'node:crypto'

/** RFC 8628, section 6.1: no vowels, so no words, and no letters or digits that look alike. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const half = 4

/** 34 random bits: nobody guesses one within the few attempts and minutes that it is valid for. */
export function newUserCode(): string {
  const word = (): string => Array.from({ length: half }, () => letters[randomInt(letters.length)]).join('')
  return `${word()}-${word()}`
}

/** However a user has typed it; what is not a code finds no sign-in. */
export function readUserCode(typed: string): string {
  const code = typed.toUpperCase().replaceAll(/[^A-Z]/g, '')
  return `${code.slice(0, half)}-${code.slice(half)}`
}
