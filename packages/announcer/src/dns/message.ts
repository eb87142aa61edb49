/** The parts of a DNS message (RFC 1035) that service discovery uses. */

/** RFC 6762, 17: the maximum size, including the IP and UDP headers. */
export const maxMessageBytes = 9000

export const typeCodes = { A: 1, PTR: 12, TXT: 16, AAAA: 28, SRV: 33, ANY: 255 } as const
export type QuestionType = keyof typeof typeCodes
export type RecordType = Exclude<QuestionType, 'ANY'>

export interface Question {
  readonly name: string
  readonly type: QuestionType
}

interface RecordHead {
  /** Labels separated by dots; a backslash escapes a dot or a backslash within a label. */
  readonly name: string
  readonly ttlSeconds: number
  /** RFC 6762, 10.2: cached records of this name and type are outdated. */
  readonly flush: boolean
}

export type ResourceRecord = RecordHead &
  (
    | { readonly type: 'A' | 'AAAA'; readonly address: string }
    | { readonly type: 'PTR'; readonly target: string }
    | { readonly type: 'SRV'; readonly target: string; readonly port: number }
    | { readonly type: 'TXT'; readonly strings: readonly string[] }
  )

export interface Message {
  readonly id: number
  readonly isResponse: boolean
  readonly questions: readonly Question[]
  readonly answers: readonly ResourceRecord[]
  readonly authorities: readonly ResourceRecord[]
  readonly additionals: readonly ResourceRecord[]
}

/** RFC 6762, 16: names compare case-insensitively for ASCII letters only. */
export const nameKey = (name: string): string => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
