import { type KeyboardEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { centredTop, followsAfter, positionAfterKey, visibleRows } from './log-window.ts'
import { RowHeights } from './row-heights.ts'

/** The height of a row of one line, in job-log.css. */
const rowPixels = 20

interface Options {
  readonly count: number
  readonly isWrapped: boolean
  /** Numbers of lines that have no height. */
  readonly hidden: readonly number[]
}

export interface LogViewport {
  readonly viewport: RefObject<HTMLDivElement | null>
  readonly rows: RefObject<HTMLDivElement | null>
  readonly totalPixels: number
  readonly offsetPixels: number
  /** The numbers of the lines to render. */
  readonly first: number
  readonly last: number
  readonly isFollowing: boolean
  /** Whether there are lines below the visible ones. */
  readonly hasMore: boolean
  follow(): void
  onScroll(): void
  onKeyDown(event: KeyboardEvent): void
  scrollTo(number: number): void
}

/** The scroll position of a log, and the rows that are visible there. Rows that wrap are measured as they are rendered. */
export function useLogViewport({ count, isWrapped, hidden }: Options): LogViewport {
  const viewport = useRef<HTMLDivElement>(null)
  const rows = useRef<HTMLDivElement>(null)
  const [heights] = useState(() => new RowHeights(rowPixels))
  const [size, setSize] = useState({ width: 0, height: 0 })
  const [scrollTop, setScrollTop] = useState(0)
  const [isFollowing, setFollowing] = useState(true)
  const [, setMeasured] = useState(0)
  /** The last known position, to distinguish the reader's scrolling from ours. */
  const knownTop = useRef(0)
  heights.grow(count)
  for (const number of hidden) if (number <= count) heights.set(number - 1, 0)

  const moveTo = useCallback((position: number): void => {
    const element = viewport.current
    if (element === null) return
    element.scrollTop = position
    // the browser limits it
    knownTop.current = element.scrollTop
    setScrollTop(element.scrollTop)
  }, [])

  useEffect(() => {
    const element = viewport.current
    if (element === null) return
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: lines wrap elsewhere when the width changes
  useLayoutEffect(() => {
    heights.reset()
    setMeasured((before) => before + 1)
  }, [heights, isWrapped, isWrapped ? size.width : 0])

  const endTop = Math.max(0, heights.total - size.height)
  const top = isFollowing ? endTop : Math.min(scrollTop, endTop)
  const { first, end } = visibleRows(heights, top, size.height)

  // after every render: the rendered rows are measured, and what is visible stays where it is
  useLayoutEffect(() => {
    const element = viewport.current
    if (element === null) return
    // not by the position of this render: the reader may have scrolled since
    const { change, above } = isWrapped ? measure(rows.current, heights, element.scrollTop) : { change: 0, above: 0 }
    if (change !== 0) setMeasured((before) => before + 1)
    if (isFollowing) {
      // a reader who has just scrolled up is not moved back; the event ends following
      if (element.scrollTop < knownTop.current) return
      element.scrollTop = element.scrollHeight
      knownTop.current = element.scrollTop
    } else if (above !== 0) moveTo(element.scrollTop + above)
  })

  return {
    viewport,
    rows,
    totalPixels: heights.total,
    offsetPixels: heights.offsetOf(first),
    first: first + 1,
    last: end,
    isFollowing,
    hasMore: !isFollowing && endTop > 0,
    follow: () => setFollowing(true),
    onScroll() {
      const element = viewport.current
      if (element === null) return
      const { scrollTop: position, scrollHeight, clientHeight } = element
      const scroll = { before: knownTop.current, top: position, endTop: scrollHeight - clientHeight }
      setFollowing((before) => followsAfter({ isFollowing: before, ...scroll }))
      knownTop.current = position
      setScrollTop(position)
    },
    onKeyDown(event) {
      const element = viewport.current
      const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey
      if (element === null || hasModifier || event.target !== element) return
      const { scrollTop: position, scrollHeight, clientHeight } = element
      const known = { top: position, height: clientHeight, endTop: scrollHeight - clientHeight }
      const next = positionAfterKey(event.key, known)
      // at its ends the page scrolls
      if (next === undefined || next === position) return
      event.preventDefault()
      setFollowing(next === known.endTop)
      moveTo(next)
    },
    scrollTo(number) {
      setFollowing(false)
      moveTo(centredTop(heights, number - 1, size.height))
    },
  }
}

/** Stores the heights of the rendered rows; returns by how much all of them changed, and those above the position. */
function measure(rows: HTMLElement | null, heights: RowHeights, top: number): { change: number; above: number } {
  let change = 0
  let above = 0
  for (const row of rows?.children ?? []) {
    const index = Number((row as HTMLElement).dataset.number) - 1
    const isAbove = heights.offsetOf(index) < top
    const difference = heights.set(index, row.getBoundingClientRect().height)
    if (difference === 0) continue
    change += Math.abs(difference)
    if (isAbove) above += difference
  }
  return { change, above }
}
