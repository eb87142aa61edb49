import Button from '@cloudscape-design/components/button'
import Input, { type InputProps } from '@cloudscape-design/components/input'
import type { Ref } from 'react'
import { useFormat } from '../../i18n/use-format.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import type { Matches } from './log-search.ts'
import { messages } from './messages.ts'

interface Props {
  readonly text: string
  readonly matches: Matches
  /** The position of the current match. */
  readonly position: number
  readonly field: Ref<InputProps.Ref>
  onText(text: string): void
  onMove(direction: 1 | -1): void
}

/** The search field with the number of matches; Enter goes to the next match and Shift-Enter to the previous one. */
export function LogSearch({ text, matches, position, field, onText, onMove }: Props) {
  const t = useMessages(messages)
  const isEmpty = matches.numbers.length === 0
  return (
    <div className="log-search">
      <Input
        ref={field}
        type="search"
        value={text}
        placeholder={t.search}
        ariaLabel={t.search}
        clearAriaLabel={t.clear}
        onChange={({ detail }) => onText(detail.value)}
        onKeyDown={(event) => {
          if (event.detail.key !== 'Enter' || event.detail.isComposing) return
          event.preventDefault()
          onMove(event.detail.shiftKey ? -1 : 1)
        }}
      />
      {text === '' ? null : (
        <>
          <span className="log-match-count" role="status">
            <MatchCount matches={matches} position={position} />
          </span>
          <Button
            variant="icon"
            iconName="angle-up"
            ariaLabel={t.previous}
            disabled={isEmpty}
            onClick={() => onMove(-1)}
          />
          <Button
            variant="icon"
            iconName="angle-down"
            ariaLabel={t.next}
            disabled={isEmpty}
            onClick={() => onMove(1)}
          />
        </>
      )}
    </div>
  )
}

function MatchCount({ matches: { numbers, isSearching, isLimited }, position }: Pick<Props, 'matches' | 'position'>) {
  const t = useMessages(messages)
  const format = useFormat()
  if (numbers.length === 0) return isSearching ? t.searching : t.noMatches
  const count = isSearching || isLimited ? t.moreMatches : t.matches
  return count(format.number(position + 1), format.number(numbers.length))
}
