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
import { stateAction } from '../../components/state-action.ts'
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
      stateAction(t, {
        uuid,
        name,
        state,
        operation: updateThirdpartyPlatform,
        change: (stateEvent) => alertPlatforms.update(uuid, { stateEvent }),
      }),
      {
        label: t.reset,
        operation: resetThirdpartyToken,
        call: { operation: resetThirdpartyToken, input: { uuid } },
        confirm: { title: t.resetTitle, consequences: t.resetConsequences },
        run: async () => {
          const { token } = await alertPlatforms.resetToken(uuid)
          if (token) setSecret({ url, token })
        },
      },
      {
        label: t.delete,
        operation: deleteThirdpartyPlatform,
        call: { operation: deleteThirdpartyPlatform, input: { uuid } },
        confirm: { title: t.deleteTitle(name), consequences: t.deleteConsequences },
        run: () => alertPlatforms.delete(uuid),
      },
    ],
    tokenDialog: secret ? <PlatformSecret {...secret} onDismiss={() => setSecret(undefined)} /> : null,
  }
}
