import { useEffect } from 'react'
import { messages as shared } from '../../components/messages.ts'
import { useStatusNames } from '../../components/statuses/use-status-names.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import type { FindEntry, FindGroup } from './find-entry.ts'
import { messages } from './messages.ts'

interface FindResultsProps {
  readonly id: string
  readonly groups: readonly FindGroup[]
  readonly active: FindEntry
  readonly optionId: (entry: FindEntry) => string
  readonly onOpen: (entry: FindEntry) => void
}

/** The list box of the search field, which keeps the focus. */
export function FindResults({ id, groups, active, optionId, onOpen }: FindResultsProps) {
  const t = useMessages(messages)
  const detailOf = useDetail()
  const activeId = optionId(active)
  useEffect(() => {
    document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  return (
    <div id={id} role="listbox" aria-label={t.results} className="find-results" tabIndex={-1}>
      {groups.map(({ name, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options
        <div key={name} role="group" aria-labelledby={`${id}-${name}`}>
          <div id={`${id}-${name}`} className="find-group">
            {t.groups[name]}
          </div>
          {entries.map((entry) => (
            <button
              key={entry.id}
              id={optionId(entry)}
              type="button"
              role="option"
              aria-selected={entry.id === active.id}
              tabIndex={-1}
              className="find-option"
              onClick={() => onOpen(entry)}
            >
              <span>{entry.label}</span>
              {entry.detail || name === 'recent' ? (
                <span className="find-detail">
                  {[name === 'recent' && t.groups[entry.kind], detailOf(entry)].filter(Boolean).join(' · ')}
                </span>
              ) : null}
            </button>
          ))}
        </div>
      ))}
    </div>
  )
}

/** States and severities have names in the language of the user. */
function useDetail(): (entry: FindEntry) => string | undefined {
  const statusName = useStatusNames()
  const severities: Readonly<Record<string, string>> = useMessages(shared).severities
  return ({ kind, detail }) => {
    if (detail === undefined) return undefined
    if (kind === 'rollout') return statusName(detail)
    return kind === 'alert' && Object.hasOwn(severities, detail) ? severities[detail] : detail
  }
}
