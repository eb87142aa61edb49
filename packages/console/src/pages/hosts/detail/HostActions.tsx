import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { changeHostState, deleteHost, type queryHost, reconnectHost } from '@wharf/contract'
import { useState } from 'react'
import { linkTo, navigate } from '../../../browser/route.ts'
import { Confirm } from '../../../components/Confirm.tsx'
import { useRefusal } from '../../../components/permission.ts'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { useApiMutation } from '../../../data/api-query.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/messages.ts'
import { messages } from './messages.ts'

interface HostActionsProps {
  readonly host: RecordOf<typeof queryHost>
  /** How many lie on it. */
  readonly packages: number
  readonly onFailure: (failure: unknown) => void
}

export function HostActions({ host: { uuid = '', name = '', state }, packages, onFailure }: HostActionsProps) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const refused = useRefusal()
  const [asks, setAsks] = useState<'disable' | 'delete'>()
  const changing = useApiMutation(changeHostState)
  const reconnecting = useApiMutation(reconnectHost)
  const heard = { onSuccess: () => onFailure(undefined), onError: onFailure }
  const change = (stateEvent: 'enable' | 'disable') => changing.mutateAsync({ uuid, stateEvent }, heard)
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button
        loading={reconnecting.isPending}
        {...refused(reconnectHost)}
        onClick={() => reconnecting.mutate({ uuid }, heard)}
      >
        {t.reconnect}
      </Button>
      {state === 'Disabled' ? (
        <Button
          loading={changing.isPending}
          {...refused(changeHostState)}
          onClick={() => void change('enable').catch(() => {})}
        >
          {t.enable}
        </Button>
      ) : (
        <Button {...refused(changeHostState)} onClick={() => setAsks('disable')}>
          {t.disable}
        </Button>
      )}
      <Button
        disabled={packages > 0}
        disabledReason={t.hasPackages(packages)}
        {...refused(deleteHost)}
        onClick={() => setAsks('delete')}
      >
        {t.delete}
      </Button>
      {asks === 'disable' ? (
        <Confirm
          title={t.disableTitle(name)}
          consequences={t.disableMeans}
          action={t.disable}
          onConfirm={() => change('disable')}
          onDismiss={() => setAsks(undefined)}
        />
      ) : null}
      {asks === 'delete' ? (
        <Confirm
          title={t.deleteTitle(name)}
          consequences={t.deleteMeans}
          action={t.delete}
          onConfirm={async () => {
            await wharf.hosts.delete(uuid)
            navigate(linkTo(['hosts']))
          }}
          onDismiss={() => setAsks(undefined)}
        />
      ) : null}
    </SpaceBetween>
  )
}
