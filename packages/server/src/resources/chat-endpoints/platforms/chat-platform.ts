export type ChatKind = 'DingTalk' | 'WeCom' | 'FeiShu' | 'Slack' | 'Teams'
export type Severity = 'critical' | 'warning' | 'info' | 'resolved'
export type Language = 'en' | 'zh'

export interface ChatMessage {
  /** Plain text; only its first characters are shown, on one line. */
  readonly title: string
  /** The Markdown that portable-text.ts reads; what is not of it stands as it is written. */
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
  /** Everybody is pinged, and so nobody by name. */
  readonly atAll: boolean
  /** Milliseconds since 1970, for signatures: render again before each attempt. */
  readonly now: number
  readonly language: Language
}

/** A POST. Its address, and its body where the vendor signs there, hold secrets. */
export interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface VendorResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Milliseconds since 1970, by our clock. */
  readonly receivedAt: number
}

/** Reasons are words of ours and a vendor's code, never a vendor's own text, which may repeat a token. */
export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly reason: string; readonly afterSeconds?: number }
  | { readonly kind: 'dead'; readonly reason: string }

/** A vendor's rules as data in, data out: no network, no clock, no state. */
export interface ChatPlatform {
  readonly kind: ChatKind
  /** The requests that carry the message, in the order to send them: more than one if it is too long for one. */
  render(message: ChatMessage, to: Recipient): OutgoingRequest[]
  judge(answer: VendorResponse): Verdict
}
