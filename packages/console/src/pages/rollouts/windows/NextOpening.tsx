import { useNow } from '../../../browser/use-now.ts'
import { useLocale } from '../../../i18n/language.tsx'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { nextOpenings } from './window-form.ts'

interface NextOpeningProps {
  readonly cron: string
  readonly timeZone: string
  /** How many are listed. */
  readonly count?: number
}

const minuteMs = 60_000

/** When a window opens next, in its own zone: `Tue, Nov 17, 22:00 (in 9 hours)`. */
export function NextOpening({ cron, timeZone, count = 1 }: NextOpeningProps) {
  const t = useMessages(messages)
  const format = useFormat()
  const locale = useLocale()
  const now = useNow(minuteMs)
  const times = nextOpenings({ cron, timeZone }, count, now)
  if (times.length === 0) return <>{t.never}</>
  const written = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  })
  return <>{times.map((time) => `${written.format(time)} (${format.ago(time, now)})`).join(' · ')}</>
}
