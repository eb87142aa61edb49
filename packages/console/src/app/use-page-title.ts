import { useEffect } from 'react'
import { usePath } from '../browser/route.ts'
import { useMessages } from '../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { PageName } from './pages.ts'
import { useHeading } from './use-heading.ts'

export interface Place {
  readonly page: string
  /** The record or form that is open within the page. */
  readonly inside: string | undefined
}

/** The names of the current page and record; also sets the title of the window. */
export function usePageTitle(): Place {
  const t = useMessages(messages)
  const path = usePath()
  const [name = 'overview'] = path
  const heading = useHeading(path.join('/'))
  const page = (t.pages[name as PageName] as string | undefined) ?? t.notFound
  const inside = path.length > 1 && heading !== '' && heading !== page ? heading : undefined
  const title = [inside, page, t.product].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
  return { page, inside }
}
