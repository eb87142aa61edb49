import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import {
  deleteThirdpartyPlatform,
  type queryThirdpartyPlatform,
  resetThirdpartyToken,
  updateThirdpartyPlatform,
} from '@wharf/contract'
import { useState } from 'react'
import { linkTo } from '../../browser/route.ts'
import { Confirm } from '../../components/Confirm.tsx'
import { useRefusal } from '../../components/permission.ts'
import type { RecordOf } from '../../components/ResourceTable.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'
import { PlatformSecret } from './PlatformSecret.tsx'

interface PlatformActionsProps {
  readonly platform: RecordOf<typeof queryThirdpartyPlatform>
  readonly isEnabling: boolean
  readonly onEnable: () => void
}

export function PlatformActions({ platform, isEnabling, onEnable }: PlatformActionsProps) {
  const { uuid = '', name = '', url = '', state } = platform
  const t = useMessages(messages)
  const { alertPlatforms } = useWharf()
  const refused = useRefusal()
  const [asks, setAsks] = useState<'disable' | 'reset' | 'delete'>()
  const [token, setToken] = useState<string>()
  const questions = {
    disable: {
      title: t.disableTitle(name),
      consequences: t.disableMeans,
      action: t.disable,
      onConfirm: () => alertPlatforms.update(uuid, { stateEvent: 'disable' }),
    },
    reset: {
      title: t.resetTitle,
      consequences: t.resetMeans,
      action: t.reset,
      onConfirm: async () => setToken((await alertPlatforms.resetToken(uuid)).token ?? undefined),
    },
    delete: {
      title: t.deleteTitle(name),
      consequences: t.deleteMeans,
      action: t.delete,
      onConfirm: () => alertPlatforms.delete(uuid),
    },
  }
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button href={linkTo(['alerts'], { q: `platformUuid=${uuid}` })}>{t.alerts}</Button>
      {state === 'Disabled' ? (
        <Button loading={isEnabling} {...refused(updateThirdpartyPlatform)} onClick={onEnable}>
          {t.enable}
        </Button>
      ) : (
        <Button {...refused(updateThirdpartyPlatform)} onClick={() => setAsks('disable')}>
          {t.disable}
        </Button>
      )}
      <Button {...refused(resetThirdpartyToken)} onClick={() => setAsks('reset')}>
        {t.reset}
      </Button>
      <Button {...refused(deleteThirdpartyPlatform)} onClick={() => setAsks('delete')}>
        {t.delete}
      </Button>
      {asks ? <Confirm {...questions[asks]} onDismiss={() => setAsks(undefined)} /> : null}
      {token ? <PlatformSecret url={url} token={token} onDismiss={() => setToken(undefined)} /> : null}
    </SpaceBetween>
  )
}
