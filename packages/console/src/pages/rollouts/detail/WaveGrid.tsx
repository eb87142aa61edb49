import { type KeyboardEvent, useCallback, useRef, useState } from 'react'
import { observeSize } from '../../../browser/observe-size.ts'
import { useStatusNames } from '../../../components/statuses/use-status-names.ts'
import { focusAfterKey, gapPixels, layoutCells, rowsOf } from './cell-layout.ts'
import { TargetCell } from './TargetCell.tsx'
import type { CellTarget } from './use-rollout-parts.ts'

interface WaveGridProps {
  /** The summary of the wave, which a screen reader reads first. */
  readonly label: string
  readonly targets: readonly CellTarget[]
  readonly selectedUuid: string | undefined
  readonly onSelect: (uuid: string) => void
}

/** The hosts of a wave as a grid: arrow keys move, Enter and Space select. */
export function WaveGrid({ label, targets, selectedUuid, onSelect }: WaveGridProps) {
  const nameOf = useStatusNames()
  const [width, setWidth] = useState(0)
  const [focusedUuid, setFocusedUuid] = useState<string>()
  const frame = useCallback((element: HTMLDivElement) => {
    const measure = (): void => setWidth(element.clientWidth)
    measure()
    return observeSize(element, measure)
  }, [])
  const { hasNames, columns, cellPixels } = layoutCells(targets.length, width)
  const widthPixels = Math.min(columns, targets.length) * (cellPixels + gapPixels) + gapPixels
  const tabStop =
    [focusedUuid, selectedUuid].find((uuid) => targets.some((one) => one.uuid === uuid)) ?? targets[0]?.uuid
  // cells are not rendered again for a new function
  const current = useRef({ targets, columns })
  current.current = { targets, columns }
  const move = useCallback((event: KeyboardEvent<HTMLButtonElement>): void => {
    const { targets: all, columns: inRow } = current.current
    const index = all.findIndex(({ uuid }) => uuid === event.currentTarget.dataset.target)
    const { key, ctrlKey: isControl } = event
    const next = all[focusAfterKey({ key, isControl, index, count: all.length, columns: inRow }) ?? -1]
    if (next === undefined) return
    event.preventDefault()
    setFocusedUuid(next.uuid)
    event.currentTarget.closest('table')?.querySelector<HTMLElement>(`[data-target="${next.uuid}"]`)?.focus()
  }, [])
  return (
    <div ref={frame} className="wave-frame">
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move in it, as in every grid of ARIA
        role="grid"
        aria-label={label}
        className="wave-grid"
        style={{ borderSpacing: gapPixels, margin: -gapPixels, inlineSize: widthPixels }}
      >
        <tbody>
          {rowsOf(targets, columns).map((row) => (
            <tr key={row[0]?.uuid}>
              {row.map(({ uuid, hostName, state }) => (
                <td key={uuid} style={{ inlineSize: cellPixels }}>
                  <TargetCell
                    uuid={uuid}
                    hostName={hostName}
                    state={state}
                    stateName={nameOf(state)}
                    hasName={hasNames}
                    isSelected={uuid === selectedUuid}
                    isTabStop={uuid === tabStop}
                    onSelect={onSelect}
                    onKeyDown={move}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
