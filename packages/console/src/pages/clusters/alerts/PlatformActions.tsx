import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import {
  deleteThirdpartyPlatform,
  type queryThirdpartyPlatform,
  resetThirdpartyToken,
  updateThirdpartyPlatform,
} from '@wharf/contract'
import { useState } from 'react'
import { linkTo } from '../../../frame/route.ts'
import { Confirm } from '../../../parts/Confirm.tsx'
import { useRefusal } from '../../../parts/permission.ts'
import type { RecordOf } from '../../../parts/ResourceTable.tsx'
import { useWharf } from '../../../wharf/wharf.tsx'
import { useWords } from '../../../words/words.ts'
import { PlatformSecret } from '../../alerts/platforms/PlatformSecret.tsx'
import { words } from './words.ts'

interface PlatformActionsProps {
  readonly platform: RecordOf<typeof queryThirdpartyPlatform>
  readonly isEnabling: boolean
  readonly onEnable: () => void
}

export function PlatformActions({ platform, isEnabling, onEnable }: PlatformActionsProps) {
  const { uuid = '', name = '', url = '', state } = platform
  const say = useWords(words)
  const { alertPlatforms } = useWharf()
  const refused = useRefusal()
  const [asks, setAsks] = useState<'disable' | 'reset' | 'delete'>()
  const [token, setToken] = useState<string>()
  const questions = {
    disable: {
      title: say.disableTitle(name),
      consequences: say.disableMeans,
      action: say.disable,
      onConfirm: () => alertPlatforms.update(uuid, { stateEvent: 'disable' }),
    },
    reset: {
      title: say.resetTitle,
      consequences: say.resetMeans,
      action: say.reset,
      onConfirm: async () => setToken((await alertPlatforms.resetToken(uuid)).token ?? undefined),
    },
    delete: {
      title: say.deleteTitle(name),
      consequences: say.deleteMeans,
      action: say.delete,
      onConfirm: () => alertPlatforms.delete(uuid),
    },
  }
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button href={linkTo(['alerts'], { q: `platformUuid=${uuid}` })}>{say.alerts}</Button>
      {state === 'Disabled' ? (
        <Button loading={isEnabling} {...refused(updateThirdpartyPlatform)} onClick={onEnable}>
          {say.enable}
        </Button>
      ) : (
        <Button {...refused(updateThirdpartyPlatform)} onClick={() => setAsks('disable')}>
          {say.disable}
        </Button>
      )}
      <Button {...refused(resetThirdpartyToken)} onClick={() => setAsks('reset')}>
        {say.reset}
      </Button>
      <Button {...refused(deleteThirdpartyPlatform)} onClick={() => setAsks('delete')}>
        {say.delete}
      </Button>
      {asks ? <Confirm {...questions[asks]} onDismiss={() => setAsks(undefined)} /> : null}
      {token ? <PlatformSecret url={url} token={token} onDismiss={() => setToken(undefined)} /> : null}
    </SpaceBetween>
  )
}
