import type { ChatMessage, ChatPlatform, OutgoingRequest, Recipient, VendorResponse, Verdict } from './chat-platform.ts'
import { guardedStart, withoutStars, wrapped } from './inert-text.ts'
import { messageParts, type Part } from './message-parts.ts'
import type { Line, Span } from './portable-text.ts'
import { type Costs, splitLines } from './split-lines.ts'
import { jsonObject, judgeStatus, tryAgain } from './vendor-responses.ts'
import { webhookRequest } from './webhook-request.ts'

/** Of one section; a message has at most 50 sections. */
const maxSectionCharacters = 3000
/** Half of what a message may have: sections end at lines, so they are seldom full. */
const maxMessageCharacters = 20_000

// the break, the bullet and a guard at the beginning
const costs: Costs = { lineCost: 4, spanCost: (span) => written(span).length }

export const slack: ChatPlatform = {
  kind: 'Slack',
  render(message: ChatMessage, to: Recipient): OutgoingRequest[] {
    const parts = messageParts(message, to, {
      ...costs,
      pings: { person: (userId) => /^[UWS][A-Z0-9]{1,63}$/.test(userId), everyone: true },
      room: () => maxMessageCharacters,
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
    // or it is from something else on the way, such as a page to sign in
    return deadErrors.has(error) ? { kind: 'dead', reason } : tryAgain(reason, answer)
  },
}

/** Of a hook that is no more, or a message that it never takes. */
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

/** Slack names an error in one word (no_service, invalid_payload); anything else may be a secret. */
function namedError(body: string): string {
  const word = body.trim()
  return word.length <= 40 && /^[a-z]+(_[a-z]+)+$/.test(word) ? `: ${word}` : ''
}

function payload({ heading, lines }: Part): object {
  const empty: Line = { bullet: false, spans: [] }
  const sections = splitLines(lines, { costs, room: maxSectionCharacters, maxParts: 40, shortened: empty })
    .map((section) => section.map(lineOf).join('\n').trim())
    .filter((text) => text !== '')
  return {
    // what a notification shows, without the sections
    text: inert(heading),
    blocks: [wrapped('*', inert(heading)), ...sections].map((text) => ({
      type: 'section',
      // verbatim: @here, #channel and names in the text stay what they are
      text: { type: 'mrkdwn', text, verbatim: true },
    })),
  }
}

function lineOf({ bullet, spans }: Line): string {
  // an escaped bracket still begins a quotation
  const content = guardedStart(spans.map(written).join('').trim(), /^&gt;/)
  return bullet ? `• ${content}` : content
}

function written(span: Span): string {
  if (span.kind === 'everyone') return '<!channel>'
  if (span.kind === 'mention') return span.userId.startsWith('S') ? `<!subteam^${span.userId}>` : `<@${span.userId}>`
  const text = inert(span.text)
  const linked = span.kind === 'link' ? `<${entities(span.url)}|${text}>` : text
  return span.bold ? wrapped('*', linked) : linked
}

const entities = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

const lookalikes: Record<string, string> = { _: 'ˍ', '~': '∼', '`': 'ˋ' }

/** A marker has no escape: where it may open or close something it becomes a character that looks like it. */
const inert = (text: string): string =>
  entities(withoutStars(text)).replace(/`+|(?<![\p{L}\p{N}])[_~]+(?=\S)/gu, (markers) =>
    Array.from(markers, (marker) => lookalikes[marker]).join(''),
  )
