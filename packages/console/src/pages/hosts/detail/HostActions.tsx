import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { changeHostState, deleteHost, type queryHost, reconnectHost } from '@wharf/contract'
import { useState } from 'react'
import { go, linkTo } from '../../../frame/route.ts'
import { Confirm } from '../../../parts/Confirm.tsx'
import { useRefusal } from '../../../parts/permission.ts'
import type { RecordOf } from '../../../parts/ResourceTable.tsx'
import { useOperation } from '../../../wharf/answers.ts'
import { useWharf } from '../../../wharf/wharf.tsx'
import { useWords } from '../../../words/words.ts'
import { words } from './words.ts'

interface HostActionsProps {
  readonly host: RecordOf<typeof queryHost>
  /** How many lie on it. */
  readonly packages: number
  readonly onFailure: (failure: unknown) => void
}

export function HostActions({ host: { uuid = '', name = '', state }, packages, onFailure }: HostActionsProps) {
  const say = useWords(words)
  const wharf = useWharf()
  const refused = useRefusal()
  const [asks, setAsks] = useState<'disable' | 'delete'>()
  const changing = useOperation(changeHostState)
  const reconnecting = useOperation(reconnectHost)
  const heard = { onSuccess: () => onFailure(undefined), onError: onFailure }
  const change = (stateEvent: 'enable' | 'disable') => changing.mutateAsync({ uuid, stateEvent }, heard)
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button
        loading={reconnecting.isPending}
        {...refused(reconnectHost)}
        onClick={() => reconnecting.mutate({ uuid }, heard)}
      >
        {say.reconnect}
      </Button>
      {state === 'Disabled' ? (
        <Button
          loading={changing.isPending}
          {...refused(changeHostState)}
          onClick={() => void change('enable').catch(() => {})}
        >
          {say.enable}
        </Button>
      ) : (
        <Button {...refused(changeHostState)} onClick={() => setAsks('disable')}>
          {say.disable}
        </Button>
      )}
      <Button
        disabled={packages > 0}
        disabledReason={say.hasPackages(packages)}
        {...refused(deleteHost)}
        onClick={() => setAsks('delete')}
      >
        {say.delete}
      </Button>
      {asks === 'disable' ? (
        <Confirm
          title={say.disableTitle(name)}
          consequences={say.disableMeans}
          action={say.disable}
          onConfirm={() => change('disable')}
          onDismiss={() => setAsks(undefined)}
        />
      ) : null}
      {asks === 'delete' ? (
        <Confirm
          title={say.deleteTitle(name)}
          consequences={say.deleteMeans}
          action={say.delete}
          onConfirm={async () => {
            await wharf.hosts.delete(uuid)
            go(linkTo(['hosts']))
          }}
          onDismiss={() => setAsks(undefined)}
        />
      ) : null}
    </SpaceBetween>
  )
}
