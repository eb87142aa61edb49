import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { Status } from './Status.tsx'
import { useStatusNames } from './statuses/use-status-names.ts'

/** The health of an installed package; one that was never verified is not a reason for a warning. */
export function Health({ value }: { value: string | null | undefined }) {
  const nameOf = useStatusNames()
  if (!value) return <>–</>
  return value === 'Unknown' ? (
    <StatusIndicator type="pending">{nameOf(value)}</StatusIndicator>
  ) : (
    <Status value={value} />
  )
}
