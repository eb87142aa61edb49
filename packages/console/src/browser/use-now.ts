import { useEffect, useState } from 'react'

/** The current time in steps of `stepMs`; renders again when a step has passed. */
export function useNow(stepMs: number): number {
  const [now, setNow] = useState(() => floorTo(Date.now(), stepMs))
  useEffect(() => {
    const timer = setInterval(() => setNow(floorTo(Date.now(), stepMs)), Math.min(stepMs, 60_000))
    return () => clearInterval(timer)
  }, [stepMs])
  return now
}

const floorTo = (time: number, stepMs: number): number => time - (time % stepMs)
