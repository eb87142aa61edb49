import Box from '@cloudscape-design/components/box'
import Link from '@cloudscape-design/components/link'
import { linkTo } from '../../../browser/route.ts'
import { Status } from '../../../components/Status.tsx'
import { useStatusNames } from '../../../components/statuses/use-status-names.ts'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { RolloutRecord } from '../rollout-record.ts'
import { messages } from './messages.ts'
import { countStates, groupOf, signs } from './target-counts.ts'
import type { CellTarget, Wave } from './use-rollout-parts.ts'
import { useWaveSummary } from './use-wave-summary.ts'
import { WaveGate } from './WaveGate.tsx'
import { WaveGrid } from './WaveGrid.tsx'

interface WaveDiagramProps {
  readonly rollout: RolloutRecord
  readonly waves: readonly Wave[]
  readonly targets: readonly CellTarget[]
  readonly selectedUuid: string | undefined
  readonly onSelect: (uuid: string) => void
}

/** The waves in their order, each with a cell for every host, and the gates between them. */
export function WaveDiagram({ rollout, waves, targets, selectedUuid, onSelect }: WaveDiagramProps) {
  const t = useMessages(messages)
  const summaryOf = useWaveSummary()
  const byWave = Map.groupBy(targets, ({ wave }) => wave)
  return (
    <>
      <Legend rolloutUuid={rollout.uuid} targets={targets} />
      <ol className="waves" aria-label={t.waves}>
        {waves.map((wave) => {
          const own = byWave.get(wave.number) ?? []
          const summary = summaryOf(own)
          return (
            <li key={wave.uuid} className={`wave ${wave.state}`} aria-current={wave.number === rollout.currentWave}>
              <div className="wave-heading">
                <Box variant="h3" tagOverride="h3" padding="n">
                  {t.wave(wave.number)}
                </Box>
                <Status value={wave.state} isJob />
                <span className="wave-summary">{summary}</span>
              </div>
              {own.length > 0 ? (
                <WaveGrid
                  label={`${t.wave(wave.number)}: ${summary}`}
                  targets={own}
                  selectedUuid={selectedUuid}
                  onSelect={onSelect}
                />
              ) : null}
              <WaveGate rollout={rollout} wave={wave} isLast={wave.number === waves.length} />
            </li>
          )
        })}
      </ol>
    </>
  )
}

/** The states that hosts have now, with their signs and counts; each links to a table of its hosts. */
function Legend({ rolloutUuid, targets }: { rolloutUuid: string; targets: readonly CellTarget[] }) {
  const t = useMessages(messages)
  const format = useFormat()
  const nameOf = useStatusNames()
  return (
    <ul className="target-legend" aria-label={t.legend}>
      {countStates(targets).map(({ state, count }) => (
        <li key={state}>
          <span className={`target-cell ${groupOf(state)}`} aria-hidden="true">
            <span className="target-sign">{signs[state]}</span>
          </span>
          <Link href={linkTo(['rollouts', rolloutUuid], { view: 'table', q: `state=${state}` })}>
            {nameOf(state)} {format.number(count)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
