import Button from '@cloudscape-design/components/button'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { addSNSChatAppAtPerson, type ChatKind, deleteAtPerson, queryAtPerson, updateAtPerson } from '@wharf/contract'
import { useState } from 'react'
import { Confirm } from '../../../components/Confirm.tsx'
import { useRefusal } from '../../../components/permission.ts'
import { SectionTable } from '../../../components/table/SectionTable.tsx'
import { useWharf } from '../../../data/wharf-context.tsx'
import { callsEveryone, isPinged } from '../../../features/chat-messages/mentions.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { PersonForm } from './PersonForm.tsx'
import type { RegisteredPerson } from './use-persons.ts'

interface PersonsProps {
  readonly endpoint: { readonly uuid: string; readonly type: ChatKind; readonly atAll: boolean }
  readonly persons: readonly RegisteredPerson[]
}

const nameOf = ({ remark, userId }: RegisteredPerson): string => remark || userId

export function Persons({ endpoint, persons }: PersonsProps) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const refused = useRefusal()
  const [dialog, setDialog] = useState<{ what: 'form' | 'remove'; person?: RegisteredPerson }>()
  const isEveryone = endpoint.atAll && callsEveryone(endpoint.type)
  const close = (): void => setDialog(undefined)
  const add = (
    <Button {...refused(addSNSChatAppAtPerson)} onClick={() => setDialog({ what: 'form' })}>
      {t.add}
    </Button>
  )
  return (
    <>
      <SectionTable
        title={t.title}
        description={isEveryone && persons.length > 0 ? t.overridden : undefined}
        records={persons}
        keyOf={({ uuid = '' }) => uuid}
        call={{ operation: queryAtPerson, input: { q: [`endpointUuid=${endpoint.uuid}`] } }}
        actions={add}
        columns={[
          { field: 'userId', label: t.userId },
          { field: 'remark', label: t.remark },
          {
            field: 'uuid',
            label: t.notified,
            cell: ({ userId }) => <NotifiedStatus isNotified={isPinged(endpoint.type, userId)} />,
          },
        ]}
        rowActions={{
          label: t.actions,
          cell: (person) => (
            <SpaceBetween direction="horizontal" size="xs">
              <Button
                variant="inline-link"
                ariaLabel={t.editNamed(nameOf(person))}
                {...refused(updateAtPerson)}
                onClick={() => setDialog({ what: 'form', person })}
              >
                {t.edit}
              </Button>
              <Button
                variant="inline-link"
                ariaLabel={t.removeNamed(nameOf(person))}
                {...refused(deleteAtPerson)}
                onClick={() => setDialog({ what: 'remove', person })}
              >
                {t.remove}
              </Button>
            </SpaceBetween>
          ),
        }}
        empty={isEveryone ? t.everyone : t.empty}
        first={add}
      />
      {dialog?.what === 'form' ? <PersonForm endpoint={endpoint} person={dialog.person} onDismiss={close} /> : null}
      {dialog?.what === 'remove' && dialog.person ? (
        <Confirm
          title={t.removeTitle(nameOf(dialog.person))}
          consequences={t.removeConsequences}
          action={t.remove}
          call={{ operation: deleteAtPerson, input: { uuid: dialog.person.uuid ?? '' } }}
          onConfirm={() => wharf.atPersons.delete(dialog.person?.uuid ?? '')}
          onDismiss={close}
        />
      ) : null}
    </>
  )
}

function NotifiedStatus({ isNotified }: { isNotified: boolean }) {
  const t = useMessages(messages)
  return <StatusIndicator type={isNotified ? 'success' : 'warning'}>{isNotified ? t.yes : t.nameOnly}</StatusIndicator>
}
