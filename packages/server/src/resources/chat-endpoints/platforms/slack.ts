import type { ChatMessage, ChatPlatform, OutgoingRequest, Recipient, VendorResponse, Verdict } from './chat-platform.ts'
import { guardedStart, withoutStars, wrapped } from './markup-without-escapes.ts'
import { messageParts, type Part } from './message-parts.ts'
import type { Line, Span } from './portable-text.ts'
import { type Costs, splitLines } from './split-lines.ts'
import { jsonObject, judgeStatus, retryVerdict } from './vendor-responses.ts'
import { webhookRequest } from './webhook-request.ts'

/** The limit of one section; a message has at most 50 sections. */
const maxSectionCharacters = 3000
/** Half the limit of a message: sections end at lines, so they are rarely full. */
const maxMessageCharacters = 20_000

// the break, the bullet and a guard at the start
const costs: Costs = { lineCost: 4, spanCost: (span) => renderSpan(span).length }

export const slack: ChatPlatform = {
  kind: 'Slack',
  render(message: ChatMessage, to: Recipient): OutgoingRequest[] {
    const parts = messageParts(message, to, {
      ...costs,
      mentionable: { person: (userId) => /^[UWS][A-Z0-9]{1,63}$/.test(userId), everyone: true },
      capacity: () => maxMessageCharacters,
    })
    return parts.map((part) => webhookRequest(to.url, payload(part)))
  },
  judge(answer: VendorResponse): Verdict {
    const failed = judgeStatus('Slack', answer, namedError(answer.body))
    if (failed !== undefined) return failed
    // workflows answer in JSON
    const result = jsonObject(answer.body)
    if (result?.ok === true || /^("?ok"?)?$/i.test(answer.body.trim())) return { kind: 'delivered' }
    const error = String(result?.error ?? '')
    const reason = `Slack answered HTTP ${answer.status} without "ok"${namedError(error)}`
    // otherwise it is from a proxy, such as a sign-in page
    return deadErrors.has(error) ? { kind: 'dead', reason } : retryVerdict(reason, answer)
  },
}

/** Errors of a removed hook, or of a message that is never accepted. */
const deadErrors: ReadonlySet<string> = new Set([
  'account_inactive',
  'action_prohibited',
  'channel_is_archived',
  'channel_not_found',
  'invalid_auth',
  'invalid_blocks',
  'invalid_payload',
  'invalid_token',
  'msg_too_long',
  'no_service',
  'no_team',
  'no_text',
  'posting_to_general_channel_denied',
  'restricted_action',
  'team_disabled',
  'token_revoked',
  'user_not_found',
])

/** Slack names an error in one word (no_service, invalid_payload); other text may be a secret. */
function namedError(body: string): string {
  const word = body.trim()
  return word.length <= 40 && /^[a-z]+(_[a-z]+)+$/.test(word) ? `: ${word}` : ''
}

function payload({ heading, lines }: Part): object {
  const empty: Line = { bullet: false, spans: [] }
  const sections = splitLines(lines, { costs, capacity: maxSectionCharacters, maxParts: 40, shortened: empty })
    .map((section) => section.map(lineOf).join('\n').trim())
    .filter((text) => text !== '')
  return {
    // the text of a notification, which has no sections
    text: inert(heading),
    blocks: [wrapped('*', inert(heading)), ...sections].map((text) => ({
      type: 'section',
      // verbatim: @here, #channel and names in the text are literal
      text: { type: 'mrkdwn', text, verbatim: true },
    })),
  }
}

function lineOf({ bullet, spans }: Line): string {
  // an escaped bracket still starts a quotation
  const content = guardedStart(spans.map(renderSpan).join('').trim(), /^&gt;/)
  return bullet ? `• ${content}` : content
}

function renderSpan(span: Span): string {
  if (span.kind === 'everyone') return '<!channel>'
  if (span.kind === 'mention') return span.userId.startsWith('S') ? `<!subteam^${span.userId}>` : `<@${span.userId}>`
  const text = inert(span.text)
  const linked = span.kind === 'link' ? `<${entities(span.url)}|${text}>` : text
  return span.bold ? wrapped('*', linked) : linked
}

const entities = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

const lookalikes: Record<string, string> = { _: 'ˍ', '~': '∼', '`': 'ˋ' }

/** A marker cannot be escaped: where it may open or close markup it is replaced by a character that looks like it. */
const inert = (text: string): string =>
  entities(withoutStars(text)).replace(/`+|(?<![\p{L}\p{N}])[_~]+(?=\S)/gu, (markers) =>
    Array.from(markers, (marker) => lookalikes[marker]).join(''),
  )
