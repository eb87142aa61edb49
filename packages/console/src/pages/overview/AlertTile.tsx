import Box from '@cloudscape-design/components/box'
import Link from '@cloudscape-design/components/link'
import { queryThirdpartyAlert } from '@wharf/contract'
import { linkTo } from '../../browser/route.ts'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { Severity } from '../../components/Severity.tsx'
import { Status } from '../../components/Status.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { Tile } from './Tile.tsx'

export function AlertTile() {
  const t = useMessages(messages)
  const format = useFormat()
  const { data, error } = useApiQuery(queryThirdpartyAlert, { sort: '-createDate', limit: 5 })
  const firing = useApiQuery(queryThirdpartyAlert, { q: ['status=firing'], count: true }).data?.total ?? 0
  const alerts = data?.inventories ?? []
  return (
    <Tile
      title={t.alerts}
      counter={firing > 0 ? t.firing(format.number(firing)) : undefined}
      href={linkTo(['alerts'])}
      error={error}
    >
      {data && alerts.length === 0 ? <Box color="text-body-secondary">{t.noAlerts}</Box> : null}
      <ul className="lines">
        {alerts.map(({ uuid = '', name, status, severity, lastOpDate }) => (
          <li key={uuid} className="line-ends">
            <span>
              <Status value={status} /> <Link href={linkTo(['alerts', uuid])}>{name}</Link>{' '}
              {severity ? <Severity value={severity} /> : null}
            </span>
            <RelativeTime time={lastOpDate} />
          </li>
        ))}
      </ul>
    </Tile>
  )
}
