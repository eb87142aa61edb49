import { createHmac } from 'node:crypto'
import type {
  ChatMessage,
  ChatPlatform,
  OutgoingRequest,
  Recipient,
  Severity,
  VendorResponse,
} from './chat-platform.ts'
import { wrapped } from './markup-without-escapes.ts'
import { messageParts, type Part } from './message-parts.ts'
import type { Line, Span } from './portable-text.ts'
import { judgeByCode, numberIn, type ResultCodes } from './vendor-responses.ts'
import { jsonBytes, quotedBytes, webhookRequest } from './webhook-request.ts'

/** The whole body; the vendor documents 20 KB without the unit. */
const maxBodyBytes = 20_000

const headerColours: Record<Severity, string> = { critical: 'red', warning: 'orange', info: 'blue', resolved: 'green' }

export const feiShu: ChatPlatform = {
  kind: 'FeiShu',
  render(message: ChatMessage, to: Recipient): OutgoingRequest[] {
    const card = (part: Part) => ({ ...signature(to), msg_type: 'interactive', card: cardOf(part, message.severity) })
    const parts = messageParts(message, to, {
      mentionable: { person: (userId) => /^[\w-]{1,64}$/.test(userId), everyone: true },
      // always with a signature, so that adding or removing a secret does not change how a message is split
      capacity: (heading) =>
        maxBodyBytes -
        jsonBytes({
          ...card({ heading, lines: [{ bullet: false, spans: [] }] }),
          ...signature({ ...to, secret: '-' }),
        }),
      // the break, the bullet and an entity at the start
      lineCost: quotedBytes('\n- &#45;'),
      spanCost: (span) => quotedBytes(renderSpan(span)),
    })
    return parts.map((part) => webhookRequest(to.url, card(part)))
  },
  judge: (answer: VendorResponse) => judgeByCode('FeiShu', codes, answer),
}

const tooFrequent = 11232

const codes: ResultCodes = {
  read(body) {
    const code = numberIn(body, 'code', 'StatusCode')
    // 9499 is any bad request; older gateways also return it for too many requests
    return code === 9499 && /too many/i.test(body) ? tooFrequent : code
  },
  dead: {
    9499: 'the message is not accepted or too long',
    11246: 'the card is not accepted',
    11310: 'the card is not accepted',
    19001: 'the token is not known',
    19002: 'the message is not accepted',
    19021: 'the signature or its time is not accepted',
    19022: 'the sender’s address is not accepted',
    19024: 'the keyword is missing',
    230001: 'the message is not accepted',
    230002: 'the robot is not in the group',
    230006: 'the robot is disabled',
    230022: 'the text is not accepted',
    230025: 'the message is too long',
    230028: 'the text is not accepted',
    230035: 'the robot may not write to the group',
    230099: 'the card is not accepted',
    99992402: 'the message is not accepted',
  },
  limited: [tooFrequent, 230020, 99991400],
  // a hundred messages a minute
  limitedSeconds: 60,
}

/** Timestamp and secret together are the key, and the signed text is empty. */
function signature({ secret, now }: Recipient): object {
  if (!secret) return {}
  const timestamp = String(Math.floor(now / 1000))
  return { timestamp, sign: createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64') }
}

function cardOf({ heading, lines }: Part, severity: Severity): object {
  return {
    config: { wide_screen_mode: true },
    header: { title: { tag: 'plain_text', content: heading }, template: headerColours[severity] },
    // a card needs an element that is not empty
    elements: [{ tag: 'markdown', content: lines.map(lineOf).join('\n') || '&nbsp;' }],
  }
}

function lineOf({ bullet, spans }: Line): string {
  const content = spans
    .map(renderSpan)
    .join('')
    .trim()
    // a character that would start a list or a rule
    .replace(/(?<=^\d{1,9})\.(?=\s)|^[-+](?=[-\s]|$)/, entity)
  return bullet ? `- ${content}` : content
}

function renderSpan(span: Span): string {
  if (span.kind === 'mention') return `<at id=${span.userId}></at>`
  if (span.kind === 'everyone') return '<at id=all></at>'
  const text = escaped(span.text)
  const linked = span.kind === 'link' ? `[${text}](${span.url})` : text
  return span.bold ? wrapped('**', linked) : linked
}

/** The vendor's Markdown supports HTML entities for the characters of its markup. */
const escaped = (text: string): string => text.replace(/&(?=#?\w+;)|[<>~*_`[\]()#$\\|!]/g, entity)

const entity = (character: string): string => `&#${character.charCodeAt(0)};`
