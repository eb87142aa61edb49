import type { AlertSeverity } from '@wharf/contract'

export type ChatKind = 'DingTalk' | 'WeCom' | 'FeiShu' | 'Slack' | 'Teams'
export type Severity = AlertSeverity
export type Language = 'en' | 'zh'

export interface ChatMessage {
  /** Plain text; only its first characters are shown, on one line. */
  readonly title: string
  /** The Markdown of portable-text.ts; other markup is literal text. */
  readonly text: string
  readonly severity: Severity
}

export interface Mention {
  readonly userId: string
  readonly remark: string | null
}

export interface Recipient {
  readonly url: string
  readonly secret: string | undefined
  readonly mentions: readonly Mention[]
  /** Everyone is mentioned, so no one is mentioned by name. */
  readonly atAll: boolean
  /** Milliseconds since 1970, for signatures: the message is rendered before each attempt. */
  readonly now: number
  readonly language: Language
}

/** A POST. Its address, and its body for some vendors, contain secrets. */
export interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface VendorResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Milliseconds since 1970, by the clock of this server. */
  readonly receivedAt: number
}

/** A reason has a text of Wharf and the vendor's code, never the vendor's text, which may repeat a token. */
export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly reason: string; readonly afterSeconds?: number }
  | { readonly kind: 'dead'; readonly reason: string }

/** A vendor's rules as data in, data out: no network, no clock, no state. */
export interface ChatPlatform {
  readonly kind: ChatKind
  /** The requests of the message, in order; several when it is too long for one. */
  render(message: ChatMessage, to: Recipient): OutgoingRequest[]
  judge(answer: VendorResponse): Verdict
}
