import Box from '@cloudscape-design/components/box'
import { queryManagementNode } from '@wharf/contract'
import { RelativeTime } from '../../components/RelativeTime.tsx'
import { Status } from '../../components/Status.tsx'
import { useApiQuery } from '../../data/api-query.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import { Tile } from './Tile.tsx'

/** No event reports a heartbeat. */
const pollMs = 15_000

export function NodeTile() {
  const t = useMessages(messages)
  const { data, error } = useApiQuery(queryManagementNode, { sort: '+hostName', limit: 20 }, { pollMs })
  return (
    <Tile title={t.nodes} error={error}>
      <ul className="lines">
        {data?.inventories?.map(({ uuid = '', hostName, status, version = '', lastOpDate }) => (
          <li key={uuid}>
            <div className="line-ends">
              <strong>{hostName}</strong>
              <Status value={status} />
            </div>
            <Box variant="small" color="text-body-secondary">
              {t.version(version)} · {t.lastHeartbeat} <RelativeTime time={lastOpDate} />
            </Box>
          </li>
        ))}
      </ul>
    </Tile>
  )
}
