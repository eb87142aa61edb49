import { useEffect, useRef, useState } from 'react'

/** Removes the counter: `Jobs (3)` → `Jobs`. */
const counter = /\s*\([\d.,\s]+\+?\)$/

const findHeading = (): HTMLElement | null => document.querySelector('main h1')

/** In a wizard the h1 is the current step, and another element has the name of the whole. */
const findTitle = (): Element | null => document.querySelector('main [data-page-title]') ?? findHeading()

/**
 * The title of the current page. A change of the path moves the focus to its h1: the link that was followed is
 * gone, and a screen reader announces the new page only by its focus.
 */
export function useHeading(path: string): string {
  const [heading, setHeading] = useState('')
  const before = useRef(path)
  useEffect(() => {
    let needsFocus = before.current !== path
    before.current = path
    const update = (): void => {
      const found = findHeading()
      setHeading(findTitle()?.textContent?.replace(counter, '').trim() ?? '')
      if (found === null || !needsFocus) return
      needsFocus = false
      // a field with autofocus, or an open dialog, keeps the focus
      if (!document.activeElement?.closest('main input, main textarea, [role=dialog]')) focusOn(found)
    }
    update()
    const observer = new MutationObserver(update)
    observer.observe(document.body, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [path])
  return heading
}

function focusOn(heading: HTMLElement): void {
  heading.tabIndex = -1
  heading.focus()
}

export function skipToHeading(): void {
  const heading = findHeading()
  if (heading !== null) focusOn(heading)
}
