import type { RowHeights } from './row-heights.ts'

/** Rows beyond the visible ones, so that a fast scroll shows text. */
const overscan = 20

/** The rows to render, by index: from `first` up to, not including, `end`. */
export function visibleRows(heights: RowHeights, top: number, viewportHeight: number): { first: number; end: number } {
  if (heights.count === 0) return { first: 0, end: 0 }
  return {
    first: Math.max(0, heights.indexAt(top) - overscan),
    end: Math.min(heights.count, heights.indexAt(top + viewportHeight) + 1 + overscan),
  }
}

/** The scroll position that shows a row in the middle of the viewport. */
export function centredTop(heights: RowHeights, index: number, viewportHeight: number): number {
  const middle = heights.offsetOf(index) - viewportHeight / 2
  return Math.max(0, Math.min(middle, heights.total - viewportHeight))
}

interface Viewport {
  readonly top: number
  readonly height: number
  readonly endTop: number
}

/** What PageUp and PageDown leave visible of the page before. */
const pageOverlap = 40
const arrowPixels = 40

/**
 * The position after a key. The browser would move there in an animation, which ends early when rows on the way turn out
 * higher than expected.
 */
export function positionAfterKey(key: string, { top, height, endTop }: Viewport): number | undefined {
  const page = Math.max(arrowPixels, height - pageOverlap)
  const positions: Readonly<Record<string, number>> = {
    Home: 0,
    End: endTop,
    PageUp: top - page,
    PageDown: top + page,
    ArrowUp: top - arrowPixels,
    ArrowDown: top + arrowPixels,
  }
  const position = positions[key]
  return position === undefined ? undefined : Math.max(0, Math.min(position, endTop))
}

/** A reader this close to the end follows it. */
const nearPixels = 8

interface Scroll {
  readonly isFollowing: boolean
  /** The position before and after the scroll. */
  readonly before: number
  readonly top: number
  /** The position of the end. */
  readonly endTop: number
}

/** Whether the log follows its end: no longer when the reader scrolls up, and again when the reader reaches the end. */
export function followsAfter({ isFollowing, before, top, endTop }: Scroll): boolean {
  if (endTop - top <= nearPixels) return true
  return isFollowing && top >= before
}
