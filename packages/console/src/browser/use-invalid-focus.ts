import { type RefObject, useEffect, useRef, useState } from 'react'

/** For a form whose submission was refused: `focus()` moves to the first field that is marked as wrong. */
export function useInvalidFocus(): { form: RefObject<HTMLFormElement | null>; focus: () => void } {
  const form = useRef<HTMLFormElement>(null)
  const [rejections, setRejections] = useState(0)
  useEffect(() => {
    // after the fields have been marked
    if (rejections > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [rejections])
  return { form, focus: () => setRejections((count) => count + 1) }
}
