import { useEffect, useState } from 'react'
import { useSession } from '../../data/session.ts'

/** Drafts of this tab by session and platform; they survive a change of the page. */
const drafts = new Map<string, string>()

/** The unsaved template; warns before the tab is closed. */
export function useTemplateDraft(platformUuid: string, saved: string) {
  const key = `${useSession()?.uuid} ${platformUuid}`
  const [typed, setTyped] = useState(() => drafts.get(key))
  const isChanged = typed !== undefined && typed !== saved
  useEffect(() => {
    if (isChanged) drafts.set(key, typed)
    else drafts.delete(key)
  }, [key, isChanged, typed])
  useEffect(() => {
    if (!isChanged) return
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isChanged])
  return { template: typed ?? saved, isChanged, setTyped }
}
