import Badge from '@cloudscape-design/components/badge'
import { linkTo } from '../../../browser/route.ts'
import { labelField } from '../../../components/known-labels.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { type Labels, rowsOf } from './label-form.ts'
import { messages } from './messages.ts'

/** The labels of a host; each filters the list. */
export function LabelLinks({ labels = {} }: { labels: Labels | undefined }) {
  const t = useMessages(messages)
  const rows = rowsOf(labels)
  if (rows.length === 0) return t.none
  return (
    <span className="tag-links">
      {rows.map(({ name, value }) => (
        <a
          key={name}
          href={linkTo(['hosts'], { q: `${labelField(name)}=${value}` })}
          aria-label={t.filterBy(`${name}=${value}`)}
        >
          <Badge>{`${name}=${value}`}</Badge>
        </a>
      ))}
    </span>
  )
}
