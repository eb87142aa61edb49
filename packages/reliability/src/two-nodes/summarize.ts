import type { TwoNodesFigures } from './scenario.ts'

/** One line of figures. */
export function summarize(figures: TwoNodesFigures): string {
  const {
    rounds,
    seconds,
    callsPerSecond,
    repeated,
    creates,
    changes,
    reads,
    jobs,
    cutOff,
    writes,
    handovers,
    takeoverMs,
  } = figures
  const counts = [...Map.groupBy(rounds, (name) => name)].map(([name, all]) => `${name} ${all.length}`).sort()
  const sorted = takeoverMs.toSorted((a, b) => a - b)
  const inSeconds = (ms = 0): string => (ms / 1000).toFixed(1)
  return (
    `two nodes: ${rounds.length} rounds (${counts.join(', ')}) in ${Math.round(seconds)} s at ` +
    `${callsPerSecond.toFixed(0)} calls/s: ${creates} creates, ${changes} changes, ${reads} reads, ${jobs} jobs on the host (${cutOff} of them cut off from it); ` +
    `${repeated} calls had to be repeated, ${handovers} jobs changed their owner, each of ${writes} writes to jobs was the owner's; ${figures.faults.length} faults; ` +
    `take-over ${inSeconds(sorted[Math.floor(sorted.length / 2)])} s in the middle, ${inSeconds(sorted.at(-1))} s at most`
  )
}
