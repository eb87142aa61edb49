import Badge from '@cloudscape-design/components/badge'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { parseTime } from '../../components/parse-time.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { expiryState } from './key-form.ts'
import { messages } from './messages.ts'

/** When a key expires, with a badge before and after it does. */
export function KeyExpiry({ expiresDate }: { expiresDate: string | null | undefined }) {
  const t = useMessages(messages)
  if (!expiresDate) return <>{t.never}</>
  const state = expiryState(parseTime(expiresDate).getTime(), Date.now())
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <RelativeTime time={expiresDate} />
      {state ? <Badge color={state === 'expired' ? 'red' : 'severity-medium'}>{t.expiryStates[state]}</Badge> : null}
    </SpaceBetween>
  )
}
