import { useSyncExternalStore } from 'react'

/** As wide as a phone: what is drawn is drawn otherwise there, where smaller could not be read. */
const narrow = matchMedia('(max-width: 688px)')

function listen(changed: () => void): () => void {
  narrow.addEventListener('change', changed)
  return () => narrow.removeEventListener('change', changed)
}

export const useIsNarrow = (): boolean => useSyncExternalStore(listen, () => narrow.matches)
