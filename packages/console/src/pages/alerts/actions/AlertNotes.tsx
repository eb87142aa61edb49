import Alert from '@cloudscape-design/components/alert'
import { useNow } from '../../../browser/use-now.ts'
import { parseTime } from '../../../components/parse-time.ts'
import { RelativeTime } from '../../../components/RelativeTime.tsx'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { type Alert as AlertRecord, isSilenced } from './alert-state.ts'
import { messages } from './messages.ts'

/** Who acknowledged or silenced an alert, when and why. */
export function AlertNotes({ alert }: { alert: AlertRecord }) {
  const t = useMessages(messages)
  // no event reports the end of a silence
  const now = useNow(10_000)
  const format = useFormat()
  const { acknowledgedBy, acknowledgedDate, acknowledgeComment } = alert
  const { silencedBy, silencedDate, silencedUntil, silenceComment } = alert
  const until = silencedUntil ? format.moment(parseTime(silencedUntil)) : ''
  return (
    <>
      {silencedBy ? (
        <Alert
          type="info"
          header={isSilenced(alert, now) ? t.silencedBy(silencedBy, until) : t.silenceEnded(silencedBy)}
        >
          {silenceComment} · <RelativeTime time={silencedDate} />
        </Alert>
      ) : null}
      {acknowledgedBy ? (
        <Alert type="success" header={t.acknowledgedBy(acknowledgedBy)}>
          {acknowledgeComment ? `${acknowledgeComment} · ` : null}
          <RelativeTime time={acknowledgedDate} />
        </Alert>
      ) : null}
    </>
  )
}
