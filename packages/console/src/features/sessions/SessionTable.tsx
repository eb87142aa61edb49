import Button from '@cloudscape-design/components/button'
import { type AnswerOf, endSession, getCallerIdentity, querySession } from '@wharf/contract'
import { type ReactNode, useState } from 'react'
import { Confirm } from '../../components/Confirm.tsx'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { SectionTable } from '../../components/table/SectionTable.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'

type Session = NonNullable<AnswerOf<typeof querySession>['inventories']>[number]

/** A user has 500 at most; the command lists the rest. */
const shown = 50

interface SessionTableProps {
  readonly title: string
  readonly description: string
  /** Which sessions: `userUuid=…`, or `accountUuid=…`. */
  readonly condition: string
  /** The names of the users, where the sessions belong to several. */
  readonly userNames?: ReadonlyMap<string | undefined, string | undefined>
  readonly actions?: ReactNode
}

/** Sessions, each of which can be ended, but for the one of this browser. */
export function SessionTable({ title, description, condition, userNames, actions }: SessionTableProps) {
  const t = useMessages(messages)
  const { sessions } = useWharf()
  const [ending, setEnding] = useState<Session>()
  const input = { q: [condition], sort: '-lastUsedDate', limit: shown }
  const { data, error } = useApiQuery(querySession, { ...input, replyWithCount: true })
  const current = useApiQuery(getCallerIdentity, {}).data?.inventory.credentialUuid
  const clientOf = ({ client }: Session): string => client || t.unknownClient
  return (
    <>
      <SectionTable
        title={title}
        description={description}
        records={data?.inventories}
        total={data?.total}
        keyOf={({ uuid = '' }) => uuid}
        error={error}
        call={{ operation: querySession, input }}
        actions={actions}
        columns={[
          {
            field: 'client',
            label: t.client,
            cell: (one) => (one.uuid === current ? `${clientOf(one)} (${t.current})` : clientOf(one)),
          },
          ...(userNames
            ? [
                {
                  field: 'userUuid' as const,
                  label: t.user,
                  cell: ({ userUuid }: Session) => userNames.get(userUuid) ?? userUuid,
                },
              ]
            : []),
          { field: 'kind', label: t.kind, cell: ({ kind }) => kind && t.kinds[kind] },
          { field: 'address', label: t.address },
          { field: 'createDate', label: t.created, cell: (one) => <RelativeTime time={one.createDate} /> },
          { field: 'lastUsedDate', label: t.lastUsed, cell: (one) => <RelativeTime time={one.lastUsedDate} /> },
          { field: 'expiredDate', label: t.expires, cell: (one) => <RelativeTime time={one.expiredDate} /> },
        ]}
        rowActions={{
          label: t.actions,
          cell: (one) => (
            <Button
              variant="inline-link"
              disabled={one.uuid === current}
              {...(one.uuid === current ? { disabledReason: t.useSignOut } : {})}
              ariaLabel={`${t.end}: ${clientOf(one)}`}
              onClick={() => setEnding(one)}
            >
              {t.end}
            </Button>
          ),
        }}
        empty={t.none}
      />
      {ending ? (
        <Confirm
          title={t.endTitle}
          consequences={t.endConsequences(clientOf(ending))}
          action={t.end}
          call={{ operation: endSession, input: { uuid: ending.uuid ?? '' } }}
          onConfirm={() => sessions.end(ending.uuid ?? '')}
          onDismiss={() => setEnding(undefined)}
        />
      ) : null}
    </>
  )
}
