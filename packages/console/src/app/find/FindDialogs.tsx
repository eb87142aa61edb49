import { type ComponentType, useEffect, useState } from 'react'
import { prefetched } from '../lazy-page.ts'
import { closeFind, useOpenedFind } from './find-request.ts'
import { useShortcuts } from './use-shortcuts.ts'

type Dialog = ComponentType<{ onDismiss: () => void }>

const loads = {
  find: prefetched((): Promise<{ default: Dialog }> => import('./FindAnything.tsx')),
  keys: prefetched((): Promise<{ default: Dialog }> => import('./KeyList.tsx')),
}

/** The search and the list of keys, loaded when they are first opened. */
export function FindDialogs() {
  useShortcuts()
  const opened = useOpenedFind()
  const [loaded, setLoaded] = useState<Partial<Record<keyof typeof loads, Dialog>>>({})
  useEffect(() => {
    if (opened === undefined) return
    // while the server is unreachable, nothing opens
    loads[opened]().then(({ default: dialog }) => setLoaded((before) => ({ ...before, [opened]: dialog })), closeFind)
  }, [opened])
  const Opened = opened && loaded[opened]
  return Opened ? <Opened onDismiss={closeFind} /> : null
}
