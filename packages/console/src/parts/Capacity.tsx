import Box from '@cloudscape-design/components/box'
import { useFigures } from '../words/figures.ts'
import { useWords } from '../words/words.ts'
import './capacity.css'
import { words } from './words.ts'

interface CapacityProps {
  readonly total: number | undefined
  readonly available: number | undefined
}

/** From here on a bar looks like a warning, and from there like a danger. */
const nearlyFull = 0.8
const full = 0.95

/** How much room there is, as a bar with its figures. A total of 0 is one that nobody knows. */
export function Capacity({ total = 0, available = 0 }: CapacityProps) {
  const say = useWords(words)
  const figures = useFigures()
  if (total === 0) return <Box color="text-body-secondary">{say.capacityUnknown}</Box>
  const share = Math.min(1, Math.max(0, 1 - available / total))
  const text = say.capacity(figures.bytes(available), figures.bytes(total))
  const level = share >= full ? 'full' : share >= nearlyFull ? 'nearly-full' : 'roomy'
  return (
    <div className="capacity">
      {/* the words below say the same */}
      <div className={`capacity-bar capacity-${level}`} aria-hidden="true">
        <span style={{ inlineSize: `${share * 100}%` }} />
      </div>
      <span className="capacity-text">
        {figures.percent(share)} · {text}
      </span>
    </div>
  )
}
