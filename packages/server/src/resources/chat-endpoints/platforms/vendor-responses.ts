import type { ChatKind, VendorResponse, Verdict } from './chat-platform.ts'

/** Longer than a delivery is kept makes no difference, and a number from outside needs a bound. */
const maxRetryAfterSeconds = 24 * 60 * 60

/** What a vendor's own result codes mean; one that is not listed is tried again. */
export interface ResultCodes {
  /** The result in a body; nothing if it has none. */
  read(body: string): number | undefined
  readonly dead: Readonly<Record<number, string>>
  readonly limited: readonly number[]
  /** How long the vendor's limit lasts, where its answer does not say. */
  readonly limitedSeconds: number
}

/** For vendors that answer 200 and put the result into the body. */
export function judgeByCode(kind: ChatKind, codes: ResultCodes, answer: VendorResponse): Verdict {
  const code = codes.read(answer.body)
  if (code === undefined) {
    return judgeStatus(kind, answer) ?? tryAgain(`${kind} answered HTTP ${answer.status} without a result`, answer)
  }
  const reason = `${kind} answered ${code}`
  if (codes.limited.includes(code)) return tryAgain(`${reason}: too many messages`, answer, codes.limitedSeconds)
  const dead = codes.dead[code]
  if (dead !== undefined) return { kind: 'dead', reason: `${reason}: ${dead}` }
  return judgeStatus(kind, answer) ?? (code === 0 ? { kind: 'delivered' } : tryAgain(reason, answer))
}

/** Nothing for 2xx. A client error stays one however often it is sent; 408 and 429 pass, and so does the rest. */
export function judgeStatus(kind: ChatKind, answer: VendorResponse, detail = ''): Verdict | undefined {
  const { status } = answer
  if (status >= 200 && status <= 299) return undefined
  const reason = `${kind} answered HTTP ${status}${detail}`
  const dead = status >= 400 && status <= 499 && status !== 408 && status !== 429
  return dead ? { kind: 'dead', reason } : tryAgain(reason, answer)
}

export function tryAgain(reason: string, answer: VendorResponse, otherwiseSeconds?: number): Verdict {
  const afterSeconds = retryAfterSeconds(answer) ?? otherwiseSeconds
  return afterSeconds === undefined ? { kind: 'retry', reason } : { kind: 'retry', reason, afterSeconds }
}

/** A number in a field of a JSON object, also when it is written as text. */
export function numberIn(body: string, ...fields: string[]): number | undefined {
  const value = jsonObject(body)
  for (const field of fields) {
    const found = value?.[field]
    if (typeof found === 'number') return found
    if (typeof found === 'string' && /^-?\d{1,10}$/.test(found)) return Number(found)
  }
  return undefined
}

export function jsonObject(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function retryAfterSeconds({ headers, receivedAt }: VendorResponse): number | undefined {
  const read = (name: string) =>
    Object.entries(headers)
      .find(([key]) => key.toLowerCase() === name)?.[1]
      .trim()
  const wait = read('retry-after') ?? read('x-ogw-ratelimit-reset')
  if (wait === undefined) return undefined
  // a date is measured against the server's own clock, and against ours only where it does not tell
  const answeredAt = Date.parse(read('date') ?? '') || receivedAt
  const seconds = /^\d+$/.test(wait) ? Number(wait) : (Date.parse(wait) - answeredAt) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 0), maxRetryAfterSeconds)
}
