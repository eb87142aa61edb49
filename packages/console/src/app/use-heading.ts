import { useEffect, useRef, useState } from 'react'

/** `Jobs (3)` is a list of three; its name is `Jobs`. */
const counter = /\s*\([\d.,\s]+\+?\)$/

const findHeading = (): HTMLElement | null => document.querySelector('main h1')

/**
 * The heading of the page that stands at `place`, once it stands. Whoever came here by a link is led to it: the link
 * they pressed is gone, and a screen reader would say nothing of the new page.
 */
export function useHeading(place: string): string {
  const [heading, setHeading] = useState('')
  const before = useRef(place)
  useEffect(() => {
    let isToBeFocused = before.current !== place
    before.current = place
    const look = (): void => {
      const found = findHeading()
      setHeading(found?.textContent?.replace(counter, '').trim() ?? '')
      if (found === null || !isToBeFocused) return
      isToBeFocused = false
      // a field that took the focus itself, or a dialog over the page, keeps it
      if (!document.activeElement?.closest('main input, main textarea, [role=dialog]')) focusOn(found)
    }
    look()
    const observer = new MutationObserver(look)
    observer.observe(document.body, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [place])
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
