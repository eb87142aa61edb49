import Button from '@cloudscape-design/components/button'
import { endSessions } from '@wharf/contract'
import { useState } from 'react'
import { Confirm } from '../../components/Confirm.tsx'
import { useWharf } from '../../data/wharf-context.tsx'
import { SessionTable } from '../../features/sessions/SessionTable.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

export function OwnSessions({ userUuid }: { userUuid: string }) {
  const t = useMessages(messages)
  const { users } = useWharf()
  const [isEnding, setIsEnding] = useState(false)
  const fields = { keepCurrent: true }
  return (
    <>
      <SessionTable
        title={t.sessions}
        description={t.sessionsMean}
        condition={`userUuid=${userUuid}`}
        actions={<Button onClick={() => setIsEnding(true)}>{t.endOthers}</Button>}
      />
      {isEnding ? (
        <Confirm
          title={t.endOthersTitle}
          consequences={t.endOthersConsequences}
          action={t.endOthers}
          call={{ operation: endSessions, input: { uuid: userUuid, ...fields } }}
          onConfirm={() => users.endSessions(userUuid, fields)}
          onDismiss={() => setIsEnding(false)}
        />
      ) : null}
    </>
  )
}
