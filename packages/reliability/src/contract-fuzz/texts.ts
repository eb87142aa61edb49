import type { SeededRandom } from '../seeded-random.ts'

/** Characters that programs have stumbled over, each of them text all the same. */
const letters = [
  ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  ...'     ....__--::,;!?()[]{}<>&|$#@%^*+=~`\'"\\/',
  ...'äöüßéñøÅ中文字码한글ひらがなعربيעברית\u0301\u200d\u200f\u202e\ufeff\u00a0\u2028\ufffd\ue000',
  '👩‍👩‍👧',
  '🚢',
  '𝒳',
  '𠮷',
]

/** Starts and ends with a letter, so that trimming does not change it; its length counts code points. */
export function anyText(random: SeededRandom, maxLength: number): string {
  const length = random.happens(0.05) ? maxLength : random.between(1, Math.min(maxLength, 24))
  let text = ''
  let count = 0
  while (count < length - 1) {
    const next = random.pick(letters)
    const points = [...next].length
    if (count + points > length - 1) break
    text += count === 0 ? 'n' : next
    count += count === 0 ? 1 : points
  }
  return `${text}z`
}

const plain = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Nothing but small letters and digits. */
export const plainWord = (random: SeededRandom, length: number): string =>
  Array.from({ length }, () => random.pick([...plain])).join('')
