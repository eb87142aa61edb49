import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import SpaceBetween from '@cloudscape-design/components/space-between'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import Table from '@cloudscape-design/components/table'
import { addSNSChatAppAtPerson, type ChatKind, deleteAtPerson, updateAtPerson } from '@wharf/contract'
import { useState } from 'react'
import { Confirm } from '../../../parts/Confirm.tsx'
import { Nothing } from '../../../parts/Nothing.tsx'
import { useRefusal } from '../../../parts/permission.ts'
import { useWharf } from '../../../wharf/wharf.tsx'
import { useWords } from '../../../words/words.ts'
import { callsEveryone, isPinged } from '../preview/called.ts'
import { PersonForm } from './PersonForm.tsx'
import type { RegisteredPerson } from './use-persons.ts'
import { words } from './words.ts'

interface PersonsProps {
  readonly endpoint: { readonly uuid: string; readonly type: ChatKind; readonly atAll: boolean }
  readonly persons: readonly RegisteredPerson[]
}

const nameOf = ({ remark, userId }: RegisteredPerson): string => remark || userId

export function Persons({ endpoint, persons }: PersonsProps) {
  const say = useWords(words)
  const wharf = useWharf()
  const refused = useRefusal()
  const [asked, setAsked] = useState<{ what: 'form' | 'remove'; person?: RegisteredPerson }>()
  const isEveryone = endpoint.atAll && callsEveryone(endpoint.type)
  const close = (): void => setAsked(undefined)
  const add = (
    <Button {...refused(addSNSChatAppAtPerson)} onClick={() => setAsked({ what: 'form' })}>
      {say.add}
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
            description={isEveryone && persons.length > 0 ? say.overruled : undefined}
          >
            {say.title}
          </Header>
        }
        columnDefinitions={[
          { id: 'remark', header: say.remark, cell: ({ remark }) => remark || '–' },
          { id: 'userId', header: say.userId, cell: ({ userId }) => userId, isRowHeader: true },
          { id: 'told', header: say.told, cell: ({ userId }) => <Told isTold={isPinged(endpoint.type, userId)} /> },
          {
            id: 'actions',
            header: say.actions,
            minWidth: 140,
            cell: (person) => (
              <SpaceBetween direction="horizontal" size="xs">
                <Button
                  variant="inline-link"
                  ariaLabel={say.editNamed(nameOf(person))}
                  {...refused(updateAtPerson)}
                  onClick={() => setAsked({ what: 'form', person })}
                >
                  {say.edit}
                </Button>
                <Button
                  variant="inline-link"
                  ariaLabel={say.removeNamed(nameOf(person))}
                  {...refused(deleteAtPerson)}
                  onClick={() => setAsked({ what: 'remove', person })}
                >
                  {say.remove}
                </Button>
              </SpaceBetween>
            ),
          },
        ]}
        empty={<Nothing words={isEveryone ? say.everyone : say.empty}>{add}</Nothing>}
      />
      {asked?.what === 'form' ? <PersonForm endpoint={endpoint} person={asked.person} onDismiss={close} /> : null}
      {asked?.what === 'remove' && asked.person ? (
        <Confirm
          title={say.removeTitle(nameOf(asked.person))}
          consequences={say.removeMeans}
          action={say.remove}
          onConfirm={() => wharf.atPersons.delete(asked.person?.uuid ?? '')}
          onDismiss={close}
        />
      ) : null}
    </>
  )
}

function Told({ isTold }: { isTold: boolean }) {
  const say = useWords(words)
  return <StatusIndicator type={isTold ? 'success' : 'warning'}>{isTold ? say.yes : say.onlyNamed}</StatusIndicator>
}
