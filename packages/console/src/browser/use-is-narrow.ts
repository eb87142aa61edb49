import { useSyncExternalStore } from 'react'

/** Diagrams use another layout on a phone, where a smaller one would be unreadable. */
const narrow = matchMedia('(max-width: 688px)')

function listen(changed: () => void): () => void {
  narrow.addEventListener('change', changed)
  return () => narrow.removeEventListener('change', changed)
}

export const useIsNarrow = (): boolean => useSyncExternalStore(listen, () => narrow.matches)
