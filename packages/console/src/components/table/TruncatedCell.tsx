import Tooltip from '@cloudscape-design/components/tooltip'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { observeSize } from '../../browser/observe-size.ts'
import './table.css'

interface TruncatedCellProps {
  /** The value; another one is measured again. */
  readonly text: string
  readonly children: ReactNode
}

/**
 * One line that ends with an ellipsis where it is too long; pointing at it or focusing it shows the whole text. The
 * component of Cloudscape adds a role and a tab stop even around a link.
 */
export function TruncatedCell({ text, children }: TruncatedCellProps) {
  const root = useRef<HTMLSpanElement>(null)
  const [isTruncated, setTruncated] = useState(false)
  const [needsTabStop, setNeedsTabStop] = useState(false)
  const [shown, setShown] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text may fit, or not
  useEffect(() => {
    const element = root.current
    if (element === null) return
    return observeSize(element, () => {
      setTruncated(element.scrollWidth > element.clientWidth)
      setNeedsTabStop(element.querySelector('a, button') === null)
    })
  }, [text])
  const show = (): void => setShown(root.current?.textContent ?? text)
  const hide = (): void => setShown(undefined)
  const events = { onPointerEnter: show, onPointerLeave: hide, onFocus: show, onBlur: hide }
  return (
    <span
      ref={root}
      className="truncated"
      {...(isTruncated && events)}
      {...(isTruncated && needsTabStop && { tabIndex: 0 })}
    >
      {children}
      {isTruncated && shown !== undefined ? (
        <Tooltip content={shown} getTrack={() => root.current} onEscape={hide} />
      ) : null}
    </span>
  )
}
