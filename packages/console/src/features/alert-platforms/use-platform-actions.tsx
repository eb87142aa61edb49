import {
  deleteThirdpartyPlatform,
  type queryThirdpartyPlatform,
  resetThirdpartyToken,
  updateThirdpartyPlatform,
} from '@wharf/contract'
import { type ReactNode, useState } from 'react'
import { linkTo } from '../../browser/route.ts'
import type { RecordAction } from '../../components/RecordActions.tsx'
import type { RecordOf } from '../../components/ResourceTable.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { PlatformSecret } from './PlatformSecret.tsx'

interface PlatformActions {
  readonly actions: (platform: RecordOf<typeof queryThirdpartyPlatform>) => RecordAction[]
  /** Shows the token after a reset. */
  readonly tokenDialog: ReactNode
}

export function usePlatformActions(): PlatformActions {
  const t = useMessages(messages)
  const { alertPlatforms } = useWharf()
  const [secret, setSecret] = useState<{ url: string; token: string }>()
  return {
    actions: ({ uuid = '', name = '', url = '', state }) => [
      { label: t.alerts, href: linkTo(['alerts'], { q: `platformUuid=${uuid}` }) },
      state === 'Disabled'
        ? {
            label: t.enable,
            operation: updateThirdpartyPlatform,
            run: () => alertPlatforms.update(uuid, { stateEvent: 'enable' }),
          }
        : {
            label: t.disable,
            operation: updateThirdpartyPlatform,
            confirm: { title: t.disableTitle(name), consequences: t.disableMeans },
            run: () => alertPlatforms.update(uuid, { stateEvent: 'disable' }),
          },
      {
        label: t.reset,
        operation: resetThirdpartyToken,
        confirm: { title: t.resetTitle, consequences: t.resetMeans },
        run: async () => {
          const { token } = await alertPlatforms.resetToken(uuid)
          if (token) setSecret({ url, token })
        },
      },
      {
        label: t.delete,
        operation: deleteThirdpartyPlatform,
        confirm: { title: t.deleteTitle(name), consequences: t.deleteMeans },
        run: () => alertPlatforms.delete(uuid),
      },
    ],
    tokenDialog: secret ? <PlatformSecret {...secret} onDismiss={() => setSecret(undefined)} /> : null,
  }
}
