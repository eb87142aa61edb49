import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table from '@cloudscape-design/components/table'
import type { querySoftwarePackage } from '@wharf/contract'
import { linkTo, navigate } from '../../../browser/route.ts'
import { EmptyState } from '../../../components/EmptyState.tsx'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import type { RecordOf } from '../../../components/ResourceTable.tsx'
import { Status } from '../../../components/Status.tsx'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'

interface HostPackagesProps {
  readonly hostUuid: string
  readonly packages: readonly RecordOf<typeof querySoftwarePackage>[]
  readonly total: number
  readonly error: unknown
}

/** The packages page lists the rest. */
const shown = 10

export function HostPackages({ hostUuid, packages, total, error }: HostPackagesProps) {
  const t = useMessages(messages)
  const format = useFormat()
  const all = linkTo(['packages'], { q: `hostUuid=${hostUuid}` })
  return (
    <SpaceBetween size="m">
      {error ? <ErrorAlert error={error} /> : null}
      <Table
        items={packages.slice(0, shown)}
        trackBy="uuid"
        header={
          <Header
            variant="h2"
            counter={`(${format.number(total)})`}
            actions={total > shown ? <Button href={all}>{t.allPackages}</Button> : null}
          >
            {t.packages}
          </Header>
        }
        columnDefinitions={[
          {
            id: 'name',
            header: t.name,
            isRowHeader: true,
            cell: ({ uuid = '', name }) => <Link href={linkTo(['packages', uuid])}>{name}</Link>,
          },
          { id: 'status', header: t.status, cell: ({ status }) => <Status value={status} /> },
          { id: 'type', header: t.type, cell: ({ type }) => type },
          { id: 'size', header: t.size, cell: ({ size = 0 }) => format.bytes(size) },
          { id: 'path', header: t.path, cell: ({ installPath }) => installPath },
        ]}
        empty={
          <EmptyState text={t.noPackages}>
            <Button onClick={() => navigate(linkTo(['packages']))}>{t.toPackages}</Button>
          </EmptyState>
        }
      />
    </SpaceBetween>
  )
}
