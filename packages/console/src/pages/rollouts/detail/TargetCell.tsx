import type { TargetState } from '@wharf/contract'
import { type KeyboardEvent, memo } from 'react'
import { groupOf, signs } from './target-counts.ts'

interface TargetCellProps {
  readonly uuid: string
  readonly hostName: string
  readonly state: TargetState
  readonly stateName: string
  readonly hasName: boolean
  readonly isSelected: boolean
  /** One cell of a grid is in the order of the Tab key; arrow keys move to the others. */
  readonly isTabStop: boolean
  readonly onSelect: (uuid: string) => void
  readonly onKeyDown: (event: KeyboardEvent<HTMLButtonElement>) => void
}

/** One host. It renders again only when its own state changes: a wave may have thousands. */
export const TargetCell = memo(function TargetCell(props: TargetCellProps) {
  const { uuid, hostName, state, stateName, hasName, isSelected, isTabStop, onSelect, onKeyDown } = props
  return (
    <button
      type="button"
      className={`target-cell ${groupOf(state)}`}
      data-state={state}
      data-target={uuid}
      aria-label={`${hostName}: ${stateName}`}
      aria-pressed={isSelected}
      title={`${hostName}: ${stateName}`}
      tabIndex={isTabStop ? 0 : -1}
      onClick={() => onSelect(uuid)}
      onKeyDown={onKeyDown}
    >
      <span className="target-sign" aria-hidden="true">
        {signs[state]}
      </span>
      {hasName ? <span className="target-name">{hostName}</span> : null}
    </button>
  )
})
