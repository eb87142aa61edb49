import { createHmac } from 'node:crypto'
import type { ChatMessage, ChatPlatform, OutgoingRequest, Recipient, VendorResponse } from './chat-platform.ts'
import { withoutTags, wrapped } from './markup-without-escapes.ts'
import { messageParts, type Part } from './message-parts.ts'
import type { Line, Span } from './portable-text.ts'
import { judgeByCode, numberIn, type ResultCodes } from './vendor-responses.ts'
import { jsonBytes, quotedBytes, webhookRequest } from './webhook-request.ts'

/** The whole body; a longer one is refused with 460101. */
const maxBodyBytes = 20_000

export const dingTalk: ChatPlatform = {
  kind: 'DingTalk',
  render(message: ChatMessage, to: Recipient): OutgoingRequest[] {
    const parts = messageParts(message, to, {
      mentionable: { person: (userId) => isMobile(userId) || /^[a-z0-9][\w.@-]{0,63}$/i.test(userId), everyone: true },
      capacity: (heading) => maxBodyBytes - jsonBytes(payload({ heading, lines: [{ bullet: false, spans: [] }] })),
      // the longest break and bullet, and an escape at the start
      lineCost: quotedBytes('\n\n- \\'),
      // a mention is in the text and, with quotes and a comma, in a list
      spanCost: (span) => quotedBytes(renderSpan(span)) + (span.kind === 'mention' ? span.userId.length + 3 : 0),
    })
    const url = signedUrl(to)
    return parts.map((part) => webhookRequest(url, payload(part)))
  },
  judge: (answer: VendorResponse) => judgeByCode('DingTalk', codes, answer),
}

const codes: ResultCodes = {
  read: (body) => numberIn(body, 'errcode'),
  dead: {
    40035: 'the message is not accepted',
    43004: 'the message is not accepted',
    101002: 'the message is too long',
    300001: 'the token is not known',
    300005: 'the token is not known',
    310000: 'the keyword, the signature or the sender’s address is not accepted',
    400013: 'the group was dissolved',
    400101: 'the token is not known',
    400102: 'the robot is disabled',
    400105: 'the type of the message is not supported',
    400106: 'the robot is not in the group',
    430101: 'a link in the message is not accepted',
    430102: 'the text is not accepted',
    430103: 'an image is not accepted',
    430104: 'the content is not accepted',
    460101: 'the message is too long',
  },
  limited: [130101, 410100],
  // after more than twenty messages in a minute the robot is blocked for ten
  limitedSeconds: 600,
}

/** The signature is of the timestamp and the secret, with the secret as the key, and is part of the address. */
function signedUrl({ url, secret, now }: Recipient): string {
  if (!secret) return url
  const address = new URL(url)
  address.searchParams.set('timestamp', String(now))
  address.searchParams.set('sign', createHmac('sha256', secret).update(`${now}\n${secret}`).digest('base64'))
  return address.href
}

function payload({ heading, lines }: Part): object {
  const spans = lines.flatMap((line) => line.spans)
  const mentioned = spans.flatMap((span) => (span.kind === 'mention' ? [span.userId] : []))
  return {
    msgtype: 'markdown',
    markdown: { title: heading, text: [`#### ${escaped(heading)}`, body(lines)].filter(Boolean).join('\n\n') },
    at: {
      atMobiles: mentioned.filter(isMobile),
      atUserIds: mentioned.filter((userId) => !isMobile(userId)),
      isAtAll: spans.some((span) => span.kind === 'everyone'),
    },
  }
}

/** A single break is a space here unless two spaces precede it; a list needs a separate paragraph. */
function body(lines: readonly Line[]): string {
  let text = ''
  let previous: Line | undefined
  for (const line of lines) {
    const content = line.spans.map(renderSpan).join('').trim()
    if (content === '') {
      previous = undefined
      continue
    }
    const separator = previous?.bullet !== line.bullet ? '\n\n' : line.bullet ? '\n' : '  \n'
    text += `${text === '' ? '' : separator}${line.bullet ? '- ' : ''}${withEscapedStart(content)}`
    previous = line
  }
  return text
}

/** Escapes a character that would start a heading, a quotation, a list or a rule. */
const withEscapedStart = (content: string): string =>
  content.replace(/^(\d{1,9})(?=[.)]\s)/, '$1\\').replace(/^(?=>|[-+#=](?:[-#=\s]|$))/, '\\')

function renderSpan(span: Span): string {
  // only a number or an id that is also in the text is mentioned, so it is not escaped
  if (span.kind === 'mention') return `@${span.userId}`
  if (span.kind === 'everyone') return ''
  const text = escaped(span.text)
  const linked = span.kind === 'link' ? `[${text}](${span.url})` : text
  return span.bold ? wrapped('**', linked) : linked
}

const escaped = (text: string): string => withoutTags(text).replace(/[\\`*_~[\]]/g, '\\$&')

const isMobile = (userId: string): boolean => /^(1[3-9]\d{9}|\+\d{1,4}-?\d{4,14})$/.test(userId)
