import Badge from '@cloudscape-design/components/badge'
import Box from '@cloudscape-design/components/box'
import Link from '@cloudscape-design/components/link'
import { queryThirdpartyAlert } from '@wharf/contract'
import { linkTo } from '../../frame/route.ts'
import { Status } from '../../parts/Status.tsx'
import { When } from '../../parts/When.tsx'
import { useAnswer } from '../../wharf/answers.ts'
import { useFigures } from '../../words/figures.ts'
import { useWords } from '../../words/words.ts'
import { Tile } from './Tile.tsx'
import { words } from './words.ts'

export function AlertTile() {
  const say = useWords(words)
  const figures = useFigures()
  const { data, error } = useAnswer(queryThirdpartyAlert, { sort: '-createDate', limit: 5 })
  const firing = useAnswer(queryThirdpartyAlert, { q: ['status=firing'], count: true }).data?.total ?? 0
  const alerts = data?.inventories ?? []
  return (
    <Tile
      title={say.alerts}
      counter={firing > 0 ? say.firing(figures.number(firing)) : undefined}
      href={linkTo(['alerts'])}
      error={error}
    >
      {data && alerts.length === 0 ? <Box color="text-body-secondary">{say.noAlerts}</Box> : null}
      <ul className="lines">
        {alerts.map(({ uuid = '', name, status, severity, lastOpDate }) => (
          <li key={uuid} className="line-ends">
            <span>
              <Status value={status} /> <Link href={linkTo(['alerts', uuid])}>{name}</Link>{' '}
              {severity ? <Badge color={severity === 'critical' ? 'red' : 'grey'}>{severity}</Badge> : null}
            </span>
            <When time={lastOpDate} />
          </li>
        ))}
      </ul>
    </Tile>
  )
}
