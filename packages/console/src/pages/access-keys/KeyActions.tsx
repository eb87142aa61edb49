import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import type { queryAccessKey } from '@wharf/contract'
import { useState } from 'react'
import { Confirm } from '../../parts/Confirm.tsx'
import type { RecordOf } from '../../parts/ResourceTable.tsx'
import { useWharf } from '../../wharf/wharf.tsx'
import { useWords } from '../../words/words.ts'
import { words } from './words.ts'

type Key = RecordOf<typeof queryAccessKey>

interface KeyActionsProps {
  readonly keys: readonly Key[]
  readonly onDone: () => void
  readonly onFailure: (error: unknown) => void
}

/** What can be done with the chosen keys. Only what takes something away asks first. */
export function KeyActions({ keys, onDone, onFailure }: KeyActionsProps) {
  const say = useWords(words)
  const wharf = useWharf()
  const [asked, setAsked] = useState<'disable' | 'delete'>()
  const enabled = keys.filter(({ state }) => state === 'Enabled')
  const disabled = keys.filter(({ state }) => state === 'Disabled')
  const unless = (some: readonly Key[], reason: string) =>
    some.length > 0 ? {} : { disabled: true, disabledReason: keys.length === 0 ? say.chooseFirst : reason }
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
      <Button {...unless(disabled, say.noneDisabled)} onClick={() => void change(disabled, 'enable').catch(onFailure)}>
        {say.enable}
      </Button>
      <Button {...unless(enabled, say.noneEnabled)} onClick={() => setAsked('disable')}>
        {say.disable}
      </Button>
      <Button {...unless(keys, say.chooseFirst)} onClick={() => setAsked('delete')}>
        {say.delete}
      </Button>
      {asked === 'disable' ? (
        <Confirm
          title={say.disableTitle(ids(enabled))}
          consequences={say.disableMeans}
          action={say.disable}
          onConfirm={() => change(enabled, 'disable')}
          onDismiss={() => setAsked(undefined)}
        />
      ) : null}
      {asked === 'delete' ? (
        <Confirm
          title={say.deleteTitle(ids(keys))}
          consequences={say.deleteMeans}
          action={say.delete}
          onConfirm={remove}
          onDismiss={() => setAsked(undefined)}
        />
      ) : null}
    </SpaceBetween>
  )
}
