import { Status } from '../../components/Status.tsx'
import { useStatusNames } from '../../components/statuses/use-status-names.ts'
import { useFormat } from '../../i18n/use-format.ts'

interface Ended {
  readonly outcome?: string | undefined
  readonly count?: number | undefined
}

/** Equal refused calls within a short time are one entry with their number. */
export function EntryOutcome({ entry: { outcome = '', count = 1 } }: { entry: Ended }) {
  const nameOf = useStatusNames()
  const format = useFormat()
  return <Status value={outcome} name={count > 1 ? `${nameOf(outcome)} × ${format.number(count)}` : undefined} />
}
