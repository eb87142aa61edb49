import Box from '@cloudscape-design/components/box'
import StatusIndicator from '@cloudscape-design/components/status-indicator'
import { queryManagementNode } from '@wharf/contract'
import { When } from '../../parts/When.tsx'
import { useAnswer } from '../../wharf/answers.ts'
import { useWords } from '../../words/words.ts'
import { Tile } from './Tile.tsx'
import { words } from './words.ts'

/** A heartbeat is no event. */
const lookEveryMs = 15_000

export function NodeTile() {
  const say = useWords(words)
  const { data, error } = useAnswer(queryManagementNode, { sort: '+hostName', limit: 20 }, { everyMs: lookEveryMs })
  return (
    <Tile title={say.nodes} error={error}>
      <ul className="lines">
        {data?.inventories?.map(({ uuid = '', hostName, status, version = '', lastOpDate }) => (
          <li key={uuid}>
            <div className="line-ends">
              <strong>{hostName}</strong>
              <StatusIndicator type={status === 'Alive' ? 'success' : 'error'}>{status}</StatusIndicator>
            </div>
            <Box variant="small" color="text-body-secondary">
              {say.version(version)} · {say.heard} <When time={lastOpDate} />
            </Box>
          </li>
        ))}
      </ul>
    </Tile>
  )
}
