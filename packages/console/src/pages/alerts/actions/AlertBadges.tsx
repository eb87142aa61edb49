import Badge from '@cloudscape-design/components/badge'
import { useNow } from '../../../browser/use-now.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { type Alert, isSilenced } from './alert-state.ts'
import { messages } from './messages.ts'

/** What users have done with an alert that still matters. */
export function AlertBadges({ alert }: { alert: Alert }) {
  const t = useMessages(messages)
  // no event reports the end of a silence
  const now = useNow(10_000)
  return (
    <>
      {alert.acknowledgedBy ? (
        <>
          {' '}
          <Badge color="green">{t.acknowledged}</Badge>
        </>
      ) : null}
      {isSilenced(alert, now) ? (
        <>
          {' '}
          <Badge color="grey">{t.silenced}</Badge>
        </>
      ) : null}
    </>
  )
}
