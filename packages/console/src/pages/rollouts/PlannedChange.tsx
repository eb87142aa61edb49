import type { PlanAction } from '@wharf/contract'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface PlannedChangeProps {
  readonly target: { readonly action: PlanAction; readonly fromVersion: string | null; readonly toVersion: string }
}

/** `Upgrade 1.0.0 → 1.1.0`, `Install 1.1.0`, `None` */
export function PlannedChange({ target: { action, fromVersion, toVersion } }: PlannedChangeProps) {
  const t = useMessages(messages)
  const name = t.actions[action]
  if (action === 'None') return name
  return fromVersion === null ? `${name} ${toVersion}` : `${name} ${fromVersion} → ${toVersion}`
}
