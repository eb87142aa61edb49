import { hash, timingSafeEqual } from 'node:crypto'

export const sha256 = (text: string): string => hash('sha256', text)

/** Only the content is secret, not the length. */
export function constantTimeEqual(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
