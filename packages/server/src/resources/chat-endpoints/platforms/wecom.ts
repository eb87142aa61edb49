import type {
  ChatMessage,
  ChatPlatform,
  OutgoingRequest,
  Recipient,
  Severity,
  VendorResponse,
} from './chat-platform.ts'
import { guardedStart, withoutStars, withoutTags, wrapped } from './markup-without-escapes.ts'
import { messageParts, type Part } from './message-parts.ts'
import type { Line, Span } from './portable-text.ts'
import { judgeByCode, numberIn, type ResultCodes } from './vendor-responses.ts'
import { webhookRequest } from './webhook-request.ts'

/** The limits of `content`, before it is quoted as JSON. */
const maxBytes = { markdown: 4096, text: 2048 }

/** The vendor's names of its three colours. */
const colours: Record<Severity, string> = { critical: 'warning', warning: 'warning', info: 'comment', resolved: 'info' }

export const weCom: ChatPlatform = {
  kind: 'WeCom',
  render(message: ChatMessage, to: Recipient): OutgoingRequest[] {
    // Markdown mentions only by <@id>; everyone and telephone numbers need the fields of a text message
    const asText = to.atAll || to.mentions.some(({ userId }) => isMobile(userId))
    const renderSpan = asText ? renderAsText : renderAsMarkdown
    const payload = asText ? textPayload : (part: Part) => markdownPayload(part, message.severity)
    const parts = messageParts(message, to, {
      mentionable: { person: (userId) => /^[a-z0-9][\w.@-]{0,63}$/i.test(userId), everyone: true },
      capacity: (heading) =>
        asText
          ? maxBytes.text - Buffer.byteLength(textContent({ heading, lines: [] }))
          : maxBytes.markdown - Buffer.byteLength(markdownContent({ heading, lines: [] }, message.severity)),
      // the break, the bullet and a guard at the start
      lineCost: Buffer.byteLength('\n• \u200b'),
      spanCost: (span) => Buffer.byteLength(renderSpan(span)),
    })
    return parts.map((part) => webhookRequest(to.url, payload(part)))
  },
  judge: (answer: VendorResponse) => judgeByCode('WeCom', codes, answer),
}

const codes: ResultCodes = {
  read: (body) => numberIn(body, 'errcode'),
  dead: {
    40008: 'the type of the message is not supported',
    40033: 'the message contains characters that are not accepted',
    40035: 'the message is not accepted',
    40058: 'the message is not accepted or too long',
    40063: 'the message is not accepted',
    44004: 'the message is empty',
    45002: 'the message is too long',
    60020: 'the sender’s address is not accepted',
    93000: 'the key in the address is not known',
    93004: 'the robot is disabled',
    93008: 'the robot is not in the group',
  },
  limited: [45009, 45033],
  // twenty messages a minute
  limitedSeconds: 60,
}

const markdownPayload = (part: Part, severity: Severity): object => ({
  msgtype: 'markdown',
  markdown: { content: markdownContent(part, severity) },
})

function markdownContent({ heading, lines }: Part, severity: Severity): string {
  const title = `<font color="${colours[severity]}">${wrapped('**', inert(heading))}</font>`
  return [title, ...lines.map((line) => lineOf(line, renderAsMarkdown))].join('\n')
}

function textPayload(part: Part): object {
  const spans = part.lines.flatMap((line) => line.spans)
  const mentioned = spans.flatMap((span) => (span.kind === 'mention' ? [span.userId] : []))
  const everyone = spans.some((span) => span.kind === 'everyone')
  return {
    msgtype: 'text',
    text: {
      content: textContent(part),
      mentioned_list: everyone ? ['@all'] : mentioned.filter((userId) => !isMobile(userId)),
      mentioned_mobile_list: mentioned.filter(isMobile),
    },
  }
}

// the vendor shows the mentions, so a line of mentions only is omitted
const textContent = ({ heading, lines }: Part): string =>
  [withoutTags(heading), ...lines.filter(hasText).map((line) => lineOf(line, renderAsText))].join('\n')

const hasText = ({ spans }: Line): boolean => spans.length === 0 || spans.some((span) => renderAsText(span).trim())

function lineOf({ bullet, spans }: Line, renderSpan: (span: Span) => string): string {
  const content = guardedStart(spans.map(renderSpan).join('').trim(), /^(#{1,6} |>)/)
  return bullet ? `• ${content}` : content
}

function renderAsMarkdown(span: Span): string {
  if (span.kind === 'mention') return `<@${span.userId}>`
  if (span.kind === 'everyone') return ''
  const text = inert(span.text)
  const linked = span.kind === 'link' ? `[${text.replace(/\[/g, '［').replace(/\]/g, '］')}](${span.url})` : text
  return span.bold ? wrapped('**', linked) : linked
}

function renderAsText(span: Span): string {
  if (span.kind === 'mention' || span.kind === 'everyone') return ''
  const text = withoutTags(span.text)
  return span.kind === 'link' && span.text !== span.url ? `${text} ${span.url} ` : text
}

const inert = (text: string): string =>
  withoutStars(withoutTags(text))
    .replace(/`/g, 'ˋ')
    .replace(/\](?=\()/g, '] ')

const isMobile = (userId: string): boolean => /^1[3-9]\d{9}$/.test(userId)
