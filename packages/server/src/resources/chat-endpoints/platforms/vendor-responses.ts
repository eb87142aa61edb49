import type { ChatKind, VendorResponse, Verdict } from './chat-platform.ts'

/** A delivery is not kept longer, and a number of a vendor needs a bound. */
const maxRetryAfterSeconds = 24 * 60 * 60

/** The result codes of a vendor; an unlisted one is retried. */
export interface ResultCodes {
  /** The result code in a body, if any. */
  read(body: string): number | undefined
  readonly dead: Readonly<Record<number, string>>
  readonly limited: readonly number[]
  /** How long the vendor's limit lasts when its answer has no time. */
  readonly limitedSeconds: number
}

/** For vendors that answer 200 with the result in the body. */
export function judgeByCode(kind: ChatKind, codes: ResultCodes, answer: VendorResponse): Verdict {
  const code = codes.read(answer.body)
  if (code === undefined) {
    return judgeStatus(kind, answer) ?? retryVerdict(`${kind} answered HTTP ${answer.status} without a result`, answer)
  }
  const reason = `${kind} answered ${code}`
  if (codes.limited.includes(code)) return retryVerdict(`${reason}: too many messages`, answer, codes.limitedSeconds)
  const dead = codes.dead[code]
  if (dead !== undefined) return { kind: 'dead', reason: `${reason}: ${dead}` }
  return judgeStatus(kind, answer) ?? (code === 0 ? { kind: 'delivered' } : retryVerdict(reason, answer))
}

/** Undefined for 2xx. A client error is permanent, except 408 and 429; other errors are temporary. */
export function judgeStatus(kind: ChatKind, answer: VendorResponse, detail = ''): Verdict | undefined {
  const { status } = answer
  if (status >= 200 && status <= 299) return undefined
  const reason = `${kind} answered HTTP ${status}${detail}`
  const dead = status >= 400 && status <= 499 && status !== 408 && status !== 429
  return dead ? { kind: 'dead', reason } : retryVerdict(reason, answer)
}

export function retryVerdict(reason: string, answer: VendorResponse, defaultSeconds?: number): Verdict {
  const afterSeconds = retryAfterSeconds(answer) ?? defaultSeconds
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
  // a date is compared with the Date header of the vendor, or else with the clock of this server
  const answeredAt = Date.parse(read('date') ?? '') || receivedAt
  const seconds = /^\d+$/.test(wait) ? Number(wait) : (Date.parse(wait) - answeredAt) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 0), maxRetryAfterSeconds)
}
