import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { useEffect } from 'react'
import { serverUrl } from '../data/session.ts'
import { useMessages } from '../i18n/messages.ts'
import { messages } from './messages.ts'

const pollMs = 2000
const key = 'wharf.reloaded'
/** A piece that is missing for good must not make the page load itself for ever. */
const againMs = 60_000

/** Stands where a page could not be fetched. What a browser failed to fetch it may not try again, so all is loaded anew. */
export function ReloadNotice() {
  const t = useMessages(messages)
  useEffect(() => {
    const timer = setInterval(async () => {
      if (!(await isServerThere()) || wasJustReloaded()) return
      clearInterval(timer)
      sessionStorage.setItem(key, String(Date.now()))
      location.reload()
    }, pollMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <div role="alert">
      <Alert type="warning" header={t.notLoaded} action={<Button onClick={() => location.reload()}>{t.reload}</Button>}>
        {t.notLoadedMeans}
      </Alert>
    </div>
  )
}

const isServerThere = (): Promise<boolean> =>
  fetch(serverUrl, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )

const wasJustReloaded = (): boolean => Date.now() - Number(sessionStorage.getItem(key)) < againMs
