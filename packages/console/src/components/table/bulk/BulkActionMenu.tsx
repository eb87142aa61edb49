import ButtonDropdown from '@cloudscape-design/components/button-dropdown'
import { useState } from 'react'
import { useMessages } from '../../../i18n/use-messages.ts'
import { useRefusal } from '../../permission.ts'
import { messages } from '../messages.ts'
import { BulkActionModal } from './BulkActionModal.tsx'
import type { BulkAction } from './bulk-action.ts'

interface BulkActionMenuProps<R> {
  readonly actions: readonly BulkAction<R>[]
  readonly selected: readonly R[]
  readonly keyOf: (record: R) => string
  readonly nameOf: (record: R) => string
  /** The dialog was closed after it had run. */
  readonly onDone: () => void
}

/** The actions on the selected records. */
export function BulkActionMenu<R>({ actions, selected, keyOf, nameOf, onDone }: BulkActionMenuProps<R>) {
  const t = useMessages(messages)
  const refused = useRefusal()
  const [opened, setOpened] = useState<{ id: string; records: readonly R[] }>()
  const action = actions.find(({ id }) => id === opened?.id)
  const items = actions.map((one) => {
    const reasons = selected.map((record) => one.problem?.(record))
    // when no record can be included, the first reason is shown
    const disabledReason =
      refused(one.operation)?.disabledReason ??
      (reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined)
    return { id: one.id, text: one.label, ...(disabledReason === undefined ? {} : { disabled: true, disabledReason }) }
  })
  return (
    <>
      <ButtonDropdown
        items={items}
        disabled={selected.length === 0}
        disabledReason={t.selectFirst}
        onItemClick={({ detail }) => setOpened({ id: detail.id, records: selected })}
      >
        {t.actions}
      </ButtonDropdown>
      {action && opened ? (
        <BulkActionModal
          action={action}
          records={opened.records}
          keyOf={keyOf}
          nameOf={nameOf}
          onDismiss={(hasRun) => {
            setOpened(undefined)
            if (hasRun) onDone()
          }}
        />
      ) : null}
    </>
  )
}
