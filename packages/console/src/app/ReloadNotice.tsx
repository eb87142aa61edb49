import Alert from '@cloudscape-design/components/alert'
import Button from '@cloudscape-design/components/button'
import { useEffect } from 'react'
import { serverUrl } from '../data/session.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'

const pollMs = 2000
const key = 'wharf.reloaded'
/** A permanently missing chunk must not reload the page in a loop. */
const againMs = 60_000

/** Reloads the window when the server responds: a browser does not retry a module that failed to load. */
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
        {t.notLoadedExplanation}
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
