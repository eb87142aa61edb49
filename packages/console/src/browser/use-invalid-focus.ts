import { type RefObject, useEffect, useRef, useState } from 'react'

/** After a rejected submission, `focus()` moves to the first invalid field. */
export function useInvalidFocus(): { form: RefObject<HTMLFormElement | null>; focus: () => void } {
  const form = useRef<HTMLFormElement>(null)
  const [rejections, setRejections] = useState(0)
  useEffect(() => {
    // runs after the fields are marked as invalid
    if (rejections > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [rejections])
  return { form, focus: () => setRejections((count) => count + 1) }
}
