import type {
  ChatMessage,
  ChatPlatform,
  OutgoingRequest,
  Recipient,
  Severity,
  VendorResponse,
  Verdict,
} from './chat-platform.ts'
import { withoutTags } from './markup-without-escapes.ts'
import { messageParts, type Part } from './message-parts.ts'
import type { Line, Span } from './portable-text.ts'
import { judgeStatus, retryVerdict } from './vendor-responses.ts'
import { jsonBytes, webhookRequest } from './webhook-request.ts'

/** The vendor documents about 28 KB; bodies from 21 KB on were refused in practice. */
const maxBodyBytes = 20_000

const containerStyles: Record<Severity, string> = {
  critical: 'attention',
  warning: 'warning',
  info: 'accent',
  resolved: 'good',
}

export const teams: ChatPlatform = {
  kind: 'Teams',
  render(message: ChatMessage, to: Recipient): OutgoingRequest[] {
    const parts = messageParts(message, to, {
      // a webhook cannot mention a whole channel, so with atAll the registered people are mentioned by name
      mentionable: {
        person: (userId) => uuid.test(userId) || userPrincipalName.test(userId),
        everyone: false,
        shownName,
      },
      capacity: (heading) => maxBodyBytes - jsonBytes(payload({ heading, lines: [] }, message.severity)),
      lineCost: jsonBytes(richText([])) + jsonBytes(run('• ', false)) + 2,
      spanCost: (span) => jsonBytes(inline(span)) + 1,
    })
    return parts.map((part) => webhookRequest(to.url, payload(part, message.severity)))
  },
  judge(answer: VendorResponse): Verdict {
    // connectors answer 200 with the failure of the next step in the text
    const innerStatus = /HTTP error (\d{3})/.exec(answer.body)?.[1]
    const failed =
      judgeStatus('Teams', answer) ?? judgeStatus('Teams', { ...answer, status: Number(innerStatus ?? 200) })
    if (failed !== undefined) return failed
    // 200 from a proxy, such as a sign-in page
    return /^\s*</.test(answer.body) ? retryVerdict('Teams answered with a page', answer) : { kind: 'delivered' }
  },
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const userPrincipalName = /^[^\s@<>"]+@[^\s@<>"]+$/

function payload({ heading, lines }: Part, severity: Severity): object {
  const title = richText([{ ...run(heading, true), size: 'Medium' }])
  const people = lines.flatMap((line) => line.spans).filter((span) => span.kind === 'mention')
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [{ type: 'Container', style: containerStyles[severity], items: [title] }, ...blocksOf(lines)],
          msteams: { width: 'Full', entities: people.map(entityOf) },
        },
      },
    ],
  }
}

/** Gaps between paragraphs become the spacing of the next block. */
function blocksOf(lines: readonly Line[]): object[] {
  return lines.flatMap((line, index) => {
    if (line.spans.length === 0) return []
    return [block(line, lines[index - 1]?.spans.length === 0 ? 'Medium' : 'Small')]
  })
}

/** Rich text has no markup, so nothing is escaped; only a TextBlock can mention, and its text is escaped. */
function block({ bullet, spans }: Line, spacing: string): object {
  if (spans.some((span) => span.kind === 'mention')) {
    const text = spans.map((span) => (span.kind === 'mention' ? at(span) : 'text' in span ? bare(span.text) : ''))
    return { type: 'TextBlock', spacing, text: text.join(''), wrap: true }
  }
  return richText([...(bullet ? [run('• ', false)] : []), ...spans.map(inline)], spacing)
}

const richText = (inlines: object[], spacing = 'Medium'): object => ({ type: 'RichTextBlock', spacing, inlines })

const run = (text: string, bold: boolean): object => ({
  type: 'TextRun',
  text: withoutTags(text),
  ...(bold ? { weight: 'Bolder' } : {}),
})

function inline(span: Span): object {
  // only for its cost: the text of a mention and its entity
  if (span.kind === 'mention') return { shown: at(span), ...entityOf(span) }
  if (span.kind === 'everyone') return {}
  const text = run(span.text, span.bold)
  return span.kind === 'link' ? { ...text, selectAction: { type: 'Action.OpenUrl', url: span.url } } : text
}

type Person = Extract<Span, { kind: 'mention' }>

const entityOf = (person: Person): object => ({
  type: 'mention',
  text: at(person),
  mentioned: { id: person.userId, name: person.name },
})

/** The vendor finds the entity of a mention by this text. */
const at = ({ name }: Person): string => `<at>${shownName(name)}</at>`

const shownName = (name: string): string => bare(name).replace(/\s+/g, ' ').trim()

const bare = (text: string): string => text.replace(/[<>&*_[\]()\\`~#|"]/g, ' ')
