import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { queryAccessKey } from '@wharf/contract'
import { useState } from 'react'
import { Confirm } from '../../components/Confirm.tsx'
import type { RecordOf } from '../../components/ResourceTable.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

type Key = RecordOf<typeof queryAccessKey>

interface KeyActionsProps {
  readonly keys: readonly Key[]
  readonly onDone: () => void
  readonly onFailure: (error: unknown) => void
}

/** The actions for the selected keys. */
export function KeyActions({ keys, onDone, onFailure }: KeyActionsProps) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const [dialog, setDialog] = useState<'disable' | 'delete'>()
  const enabled = keys.filter(({ state }) => state === 'Enabled')
  const disabled = keys.filter(({ state }) => state === 'Disabled')
  const unless = (some: readonly Key[], reason: string) =>
    some.length > 0 ? {} : { disabled: true, disabledReason: keys.length === 0 ? t.selectFirst : reason }
  const change = async (some: readonly Key[], stateEvent: 'enable' | 'disable'): Promise<void> => {
    for (const { uuid = '' } of some) await wharf.accessKeys.changeState(uuid, { stateEvent })
    onDone()
  }
  const remove = async (): Promise<void> => {
    for (const { uuid = '' } of keys) await wharf.accessKeys.delete(uuid)
    onDone()
  }
  const ids = (some: readonly Key[]): string => some.map(({ AccessKeyID }) => AccessKeyID).join(', ')
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button {...unless(disabled, t.noneDisabled)} onClick={() => void change(disabled, 'enable').catch(onFailure)}>
        {t.enable}
      </Button>
      <Button {...unless(enabled, t.noneEnabled)} onClick={() => setDialog('disable')}>
        {t.disable}
      </Button>
      <Button {...unless(keys, t.selectFirst)} onClick={() => setDialog('delete')}>
        {t.delete}
      </Button>
      {dialog === 'disable' ? (
        <Confirm
          title={t.disableTitle(ids(enabled))}
          consequences={t.disableMeans}
          action={t.disable}
          onConfirm={() => change(enabled, 'disable')}
          onDismiss={() => setDialog(undefined)}
        />
      ) : null}
      {dialog === 'delete' ? (
        <Confirm
          title={t.deleteTitle(ids(keys))}
          consequences={t.deleteMeans}
          action={t.delete}
          onConfirm={remove}
          onDismiss={() => setDialog(undefined)}
        />
      ) : null}
    </SpaceBetween>
  )
}
