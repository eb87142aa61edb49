import { useEffect } from 'react'
import { useWords } from '../words/words.ts'
import type { PageName } from './pages.ts'
import { useRoute } from './route.ts'
import { useHeading } from './use-heading.ts'
import { words } from './words.ts'

export interface Place {
  readonly page: string
  /** What of the page is shown, when it is not all of it. */
  readonly inside: string | undefined
}

/** Where the reader is, as the title of the window says it too. */
export function usePlace(): Place {
  const say = useWords(words)
  const { path } = useRoute()
  const [name = 'overview'] = path
  const heading = useHeading(path.join('/'))
  const page = (say.pages[name as PageName] as string | undefined) ?? say.notFound
  const inside = path.length > 1 && heading !== '' && heading !== page ? heading : undefined
  const title = [inside, page, say.product].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
  return { page, inside }
}
