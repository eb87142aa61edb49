import Button from '@cloudscape-design/components/button'
import Link from '@cloudscape-design/components/link'
import SegmentedControl from '@cloudscape-design/components/segmented-control'
import { alertStatuses, queryThirdpartyAlert } from '@wharf/contract'
import { go, linkTo } from '../../frame/route.ts'
import { type Column, type RecordOf, ResourceTable } from '../../parts/ResourceTable.tsx'
import { Status } from '../../parts/Status.tsx'
import { When } from '../../parts/When.tsx'
import { useWords } from '../../words/words.ts'
import { Severity } from './Severity.tsx'
import { usePlatformChoices, usePlatformNames } from './use-platform-names.ts'
import { words } from './words.ts'

export function AlertTable({ search }: { search: URLSearchParams }) {
  const say = useWords(words)
  const platformName = usePlatformNames()
  const platforms = usePlatformChoices()
  const columns: Column<RecordOf<typeof queryThirdpartyAlert>>[] = [
    {
      field: 'name',
      label: say.alert,
      cell: ({ uuid = '', name }) => <Link href={linkTo(['alerts', uuid])}>{name}</Link>,
    },
    { field: 'status', label: say.status, choices: alertStatuses, cell: ({ status }) => <Status value={status} /> },
    {
      field: 'severity',
      label: say.severity,
      choices: ['critical', 'warning', 'info'],
      cell: ({ severity }) => <Severity value={severity} />,
    },
    {
      field: 'platformUuid',
      label: say.platform,
      choices: platforms,
      cell: ({ platformUuid = '' }) => platformName(platformUuid),
    },
    { field: 'startsAt', label: say.since, isMeasure: true, cell: ({ startsAt }) => <When time={startsAt} /> },
    { field: 'endsAt', label: say.until, isMeasure: true, cell: ({ endsAt }) => <When time={endsAt} /> },
  ]
  const conditions = search.getAll('q')
  const chosen = alertStatuses.find((status) => conditions.length === 1 && conditions[0] === `status=${status}`)
  return (
    <ResourceTable
      operation={queryThirdpartyAlert}
      title={say.title}
      columns={columns}
      search={search}
      path={['alerts']}
      actions={
        <SegmentedControl
          label={say.which}
          selectedId={chosen ?? (conditions.length === 0 ? 'all' : null)}
          options={[
            { id: 'all', text: say.all },
            { id: 'firing', text: say.firing },
            { id: 'resolved', text: say.resolved },
          ]}
          onChange={({ detail: { selectedId } }) =>
            go(linkTo(['alerts'], selectedId === 'all' ? {} : { q: `status=${selectedId}` }))
          }
        />
      }
      empty={say.empty}
      first={<Button onClick={() => go(linkTo(['alerts', 'platforms']))}>{say.toPlatforms}</Button>}
    />
  )
}
