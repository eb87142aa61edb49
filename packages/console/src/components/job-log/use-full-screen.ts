import { type RefObject, useEffect, useState } from 'react'

export interface FullScreen {
  /** False on phones that have no full screen. */
  readonly isPossible: boolean
  readonly isOn: boolean
  toggle(): void
}

/** Shows an element on the whole screen; Escape ends it. */
export function useFullScreen(element: RefObject<HTMLElement | null>): FullScreen {
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    const update = (): void => setOn(document.fullscreenElement === element.current && element.current !== null)
    document.addEventListener('fullscreenchange', update)
    return () => document.removeEventListener('fullscreenchange', update)
  }, [element])
  return {
    isPossible: document.fullscreenEnabled,
    isOn,
    toggle() {
      const change = isOn ? document.exitFullscreen() : element.current?.requestFullscreen()
      // the browser may refuse it; the page stays as it is
      change?.catch(() => {})
    },
  }
}
