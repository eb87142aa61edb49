import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group'
import { useWords } from '../words/words.ts'
import { linkTo, useRoute } from './route.ts'
import type { Place } from './use-place.ts'
import { words } from './words.ts'

/** Inside a page the way back to its list. */
export function WayBack({ page, inside }: Place) {
  const say = useWords(words)
  const { path } = useRoute()
  if (inside === undefined) return null
  return (
    <BreadcrumbGroup
      ariaLabel={say.place}
      items={[
        { text: page, href: linkTo(path.slice(0, 1)) },
        { text: inside, href: linkTo(path) },
      ]}
    />
  )
}
