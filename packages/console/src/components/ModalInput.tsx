import Input, { type InputProps } from '@cloudscape-design/components/input'
import { useEffect, useRef } from 'react'

/** The field that has the focus when its modal opens. */
export function ModalInput(props: InputProps) {
  const field = useRef<InputProps.Ref>(null)
  useEffect(() => {
    // the modal focuses its close button in an effect of the same commit, also with autoFocus
    queueMicrotask(() => field.current?.focus())
  }, [])
  return <Input ref={field} {...props} />
}
