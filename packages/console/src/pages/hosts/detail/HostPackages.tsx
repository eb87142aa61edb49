import Button from '@cloudscape-design/components/button'
import Header from '@cloudscape-design/components/header'
import Link from '@cloudscape-design/components/link'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Table from '@cloudscape-design/components/table'
import type { querySoftwarePackage } from '@wharf/contract'
import { go, linkTo } from '../../../frame/route.ts'
import { Failure } from '../../../parts/Failure.tsx'
import { Nothing } from '../../../parts/Nothing.tsx'
import type { RecordOf } from '../../../parts/ResourceTable.tsx'
import { Status } from '../../../parts/Status.tsx'
import { useFigures } from '../../../words/figures.ts'
import { useWords } from '../../../words/words.ts'
import { words } from './words.ts'

interface HostPackagesProps {
  readonly hostUuid: string
  readonly packages: readonly RecordOf<typeof querySoftwarePackage>[]
  readonly total: number
  readonly error: unknown
}

/** The rest is on the page of packages. */
const shown = 10

export function HostPackages({ hostUuid, packages, total, error }: HostPackagesProps) {
  const say = useWords(words)
  const figures = useFigures()
  const all = linkTo(['packages'], { q: `hostUuid=${hostUuid}` })
  return (
    <SpaceBetween size="m">
      {error ? <Failure error={error} /> : null}
      <Table
        items={packages.slice(0, shown)}
        trackBy="uuid"
        header={
          <Header
            variant="h2"
            counter={`(${figures.number(total)})`}
            actions={total > shown ? <Button href={all}>{say.allPackages}</Button> : null}
          >
            {say.packages}
          </Header>
        }
        columnDefinitions={[
          {
            id: 'name',
            header: say.name,
            isRowHeader: true,
            cell: ({ uuid = '', name }) => <Link href={linkTo(['packages', uuid])}>{name}</Link>,
          },
          { id: 'status', header: say.status, cell: ({ status }) => <Status value={status} /> },
          { id: 'type', header: say.type, cell: ({ type }) => type },
          { id: 'size', header: say.size, cell: ({ size = 0 }) => figures.bytes(size) },
          { id: 'path', header: say.path, cell: ({ installPath }) => installPath },
        ]}
        empty={
          <Nothing words={say.noPackages}>
            <Button onClick={() => go(linkTo(['packages']))}>{say.toPackages}</Button>
          </Nothing>
        }
      />
    </SpaceBetween>
  )
}
