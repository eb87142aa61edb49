import { type RefObject, useEffect, useRef, useState } from 'react'

/** For a form whose submission was refused: `tell()` moves to the first field that is marked as wrong. */
export function useInvalidFocus(): { form: RefObject<HTMLFormElement | null>; tell: () => void } {
  const form = useRef<HTMLFormElement>(null)
  const [refusals, setRefusals] = useState(0)
  useEffect(() => {
    // after the fields have been marked
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])
  return { form, tell: () => setRefusals((count) => count + 1) }
}
