import { useEffect, useState } from 'react'
import { useSession } from '../../data/session.ts'

/** Of this tab, by session and platform: whoever looks at another page finds the text again. */
const drafts = new Map<string, string>()

/** What was typed and is not saved yet; undefined when there is nothing of that kind. Asks before the tab is closed. */
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
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isChanged])
  return { template: typed ?? saved, isChanged, setTyped }
}
