import Badge from '@cloudscape-design/components/badge'
import { linkTo } from '../../../browser/route.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from '../messages.ts'
import { userTagField } from './read-tags.ts'

interface TagLinksProps {
  readonly tags: readonly string[]
  /** The list that a tag filters. */
  readonly path: readonly string[]
}

/** The tags of a record; each filters the list. */
export function TagLinks({ tags, path }: TagLinksProps) {
  const t = useMessages(messages)
  if (tags.length === 0) return <>{t.none}</>
  return (
    <span className="tag-links">
      {tags.map((tag) => (
        <a key={tag} href={linkTo(path, { q: `${userTagField}=${tag}` })} aria-label={t.filterByTag(tag)}>
          <Badge color="blue">{tag}</Badge>
        </a>
      ))}
    </span>
  )
}
