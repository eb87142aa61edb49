import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Table from '@cloudscape-design/components/table'
import { addSNSChatAppAtPerson, type ChatKind, deleteAtPerson, updateAtPerson } from '@wharf/contract'
import { useState } from 'react'
import { Confirm } from '../../../components/Confirm.tsx'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { useRefusal } from '../../../components/permission.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { callsEveryone, isPinged } from '../../../features/chat-messages/mentions.ts'
import { useMessages } from '../../../i18n/messages.ts'
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
  const [asked, setAsked] = useState<{ what: 'form' | 'remove'; person?: RegisteredPerson }>()
  const isEveryone = endpoint.atAll && callsEveryone(endpoint.type)
  const close = (): void => setAsked(undefined)
  const add = (
    <Button {...refused(addSNSChatAppAtPerson)} onClick={() => setAsked({ what: 'form' })}>
      {t.add}
    </Button>
  )
  return (
    <>
      <Table
        items={persons}
        trackBy="uuid"
        header={
          <Header
            variant="h2"
            counter={`(${persons.length})`}
            actions={add}
            description={isEveryone && persons.length > 0 ? t.overruled : undefined}
          >
            {t.title}
          </Header>
        }
        columnDefinitions={[
          { id: 'remark', header: t.remark, cell: ({ remark }) => remark || '–' },
          { id: 'userId', header: t.userId, cell: ({ userId }) => userId, isRowHeader: true },
          { id: 'told', header: t.told, cell: ({ userId }) => <Told isTold={isPinged(endpoint.type, userId)} /> },
          {
            id: 'actions',
            header: t.actions,
            minWidth: 140,
            cell: (person) => (
              <SpaceBetween direction="horizontal" size="xs">
                <Button
                  variant="inline-link"
                  ariaLabel={t.editNamed(nameOf(person))}
                  {...refused(updateAtPerson)}
                  onClick={() => setAsked({ what: 'form', person })}
                >
                  {t.edit}
                </Button>
                <Button
                  variant="inline-link"
                  ariaLabel={t.removeNamed(nameOf(person))}
                  {...refused(deleteAtPerson)}
                  onClick={() => setAsked({ what: 'remove', person })}
                >
                  {t.remove}
                </Button>
              </SpaceBetween>
            ),
          },
        ]}
        empty={<EmptyState text={isEveryone ? t.everyone : t.empty}>{add}</EmptyState>}
      />
      {asked?.what === 'form' ? <PersonForm endpoint={endpoint} person={asked.person} onDismiss={close} /> : null}
      {asked?.what === 'remove' && asked.person ? (
        <Confirm
          title={t.removeTitle(nameOf(asked.person))}
          consequences={t.removeMeans}
          action={t.remove}
          onConfirm={() => wharf.atPersons.delete(asked.person?.uuid ?? '')}
          onDismiss={close}
        />
      ) : null}
    </>
  )
}

function Told({ isTold }: { isTold: boolean }) {
  const t = useMessages(messages)
  return <StatusIndicator type={isTold ? 'success' : 'warning'}>{isTold ? t.yes : t.onlyNamed}</StatusIndicator>
}
