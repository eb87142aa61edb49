/** As much of a DNS message (RFC 1035) as is needed to browse for a service and to announce one. */

/** RFC 6762, 17: no message is longer, headers of IP and UDP included. */
export const maxMessageBytes = 9000

export const typeCodes = { A: 1, PTR: 12, TXT: 16, AAAA: 28, SRV: 33, ANY: 255 } as const
export type QuestionType = keyof typeof typeCodes
export type RecordType = Exclude<QuestionType, 'ANY'>

export interface Question {
  readonly name: string
  readonly type: QuestionType
}

interface RecordHead {
  /** Labels with dots between them; a dot or a backslash within a label has a backslash before it. */
  readonly name: string
  readonly ttlSeconds: number
  /** RFC 6762, 10.2: what else was known under this name and type is outdated. */
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

/** Names compare without case, and only that of ASCII (RFC 6762, 16). */
export const nameKey = (name: string): string => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
