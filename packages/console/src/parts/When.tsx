import { useFigures } from '../words/figures.ts'
import { parseTime } from '../words/server-time.ts'

/** How long ago, with the moment itself for whoever asks. */
export function When({ time }: { time: string | null | undefined }) {
  const figures = useFigures()
  if (!time) return <>–</>
  const at = parseTime(time)
  return (
    <time dateTime={at.toISOString()} title={figures.moment(at)}>
      {figures.ago(at)}
    </time>
  )
}
