import { useFormat } from '../../i18n/use-format.ts'
import { Status } from '../Status.tsx'
import { useStatusNames } from '../statuses/use-status-names.ts'
import { type Ended, outcomeOf } from './outcome.ts'

interface EntryOutcomeProps {
  readonly entry: Ended & { readonly count?: number | undefined }
}

/** Equal refused calls within a short time are one entry with their number. */
export function EntryOutcome({ entry }: EntryOutcomeProps) {
  const nameOf = useStatusNames()
  const format = useFormat()
  const outcome = outcomeOf(entry)
  const { count = 1 } = entry
  return <Status value={outcome} name={count > 1 ? `${nameOf(outcome)} × ${format.number(count)}` : undefined} />
}
