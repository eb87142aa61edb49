import { Fragment } from 'react'
import { useMessages } from '../../i18n/use-messages.ts'
import { type Audience, type Called, calledBy, isPlain } from './mentions.ts'
import { type Line, readLines, type Span } from './portable-text.ts'
import { serverTexts } from './server-texts.ts'
import '../../components/severity.css'
import './preview.css'
import { messages } from './messages.ts'

export interface PreviewedMessage {
  readonly title: string
  readonly text: string
  readonly severity: 'critical' | 'warning' | 'info' | 'resolved'
}

/** A preview in the style of the application. */
export function ChatMessage({ message, audience }: { message: PreviewedMessage; audience: Audience }) {
  const t = useMessages(messages)
  const { type, language } = audience
  const plain = isPlain(audience)
  const called = calledBy(audience)
  const mentions = called.length === 0 ? null : <Mentions called={called} />
  return (
    <figure
      className={`chat-picture chat-${type.toLowerCase()}`}
      data-severity={message.severity}
      data-plain={plain}
      aria-label={t.preview(type)}
    >
      <div className="chat-avatar" aria-hidden="true">
        W
      </div>
      <div className="chat-body">
        <div className="chat-sender">
          Wharf <span className="chat-badge">{type === 'Slack' ? 'APP' : t.robot}</span>
        </div>
        <div className="chat-bubble">
          <div className="chat-heading">{`[${serverTexts[language].severities[message.severity]}] ${message.title}`}</div>
          <div className="chat-text" lang={language === 'zh' ? 'zh-CN' : 'en'}>
            {plain ? null : mentions}
            {readLines(message.text).map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no id and are rendered together
              <TextLine key={index} line={line} isPlain={plain} />
            ))}
            {plain ? mentions : null}
          </div>
        </div>
      </div>
    </figure>
  )
}

const Mentions = ({ called }: { called: readonly Called[] }) => (
  <p>
    {called.map(({ name, isPinged }) => (
      <Fragment key={name}>
        <span className={isPinged ? 'chat-ping' : undefined}>{name}</span>{' '}
      </Fragment>
    ))}
  </p>
)

const TextLine = ({ line: { isBullet, spans }, isPlain }: { line: Line; isPlain: boolean }) => (
  <p className={spans.length === 0 ? 'chat-gap' : undefined}>
    {isBullet ? '• ' : null}
    {spans.map((span, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <TextSpan key={index} span={span} isPlain={isPlain} />
    ))}
  </p>
)

function TextSpan({ span: { text, isBold, url }, isPlain }: { span: Span; isPlain: boolean }) {
  if (isPlain) return <>{url === undefined || url === text ? text : `${text} ${url} `}</>
  // looks like a link, but has no target
  const shown = url === undefined ? text : <span className="chat-link">{text}</span>
  return isBold ? <strong>{shown}</strong> : shown
}
