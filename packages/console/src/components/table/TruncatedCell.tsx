import Tooltip from '@cloudscape-design/components/tooltip'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { observeSize } from '../../browser/observe-size.ts'
import './table.css'

interface TruncatedCellProps {
  /** The value; another one is measured again. */
  readonly text: string
  readonly lines?: 1 | 2 | undefined
  readonly children: ReactNode
}

/**
 * A line or two that end with an ellipsis where the text is too long; pointing at it or focusing it shows the whole text. The
 * component of Cloudscape adds a role and a tab stop even around a link.
 */
export function TruncatedCell({ text, lines = 1, children }: TruncatedCellProps) {
  const root = useRef<HTMLSpanElement>(null)
  const [isTruncated, setTruncated] = useState(false)
  const [needsTabStop, setNeedsTabStop] = useState(false)
  const [shown, setShown] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text may fit, or not
  useEffect(() => {
    const element = root.current
    if (element === null) return
    return observeSize(element, () => {
      const overflows = element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight + 1
      setTruncated(overflows)
      setNeedsTabStop(overflows && element.querySelector('a, button') === null)
    })
  }, [text])
  const show = (): void => setShown(root.current?.textContent ?? text)
  const hide = (): void => setShown(undefined)
  const events = { onPointerEnter: show, onPointerLeave: hide, onFocus: show, onBlur: hide }
  return (
    <span
      ref={root}
      className={lines === 2 ? 'truncated two-lines' : 'truncated'}
      {...(isTruncated && events)}
      {...(needsTabStop && { tabIndex: 0 })}
    >
      {children}
      {isTruncated && shown !== undefined ? (
        <Tooltip content={shown} getTrack={() => root.current} onEscape={hide} />
      ) : null}
    </span>
  )
}
