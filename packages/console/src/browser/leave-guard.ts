import { valueStore } from './value-store.ts'

/** A form with input that leaving would lose. */
export interface UnsavedForm {
  /** Removes the input, also from the storage. */
  readonly discard: () => void
}

interface Leaving {
  readonly forms: readonly UnsavedForm[]
  readonly proceed: () => void
}

const unsaved = new Set<UnsavedForm>()
const leaving = valueStore<Leaving | undefined>(undefined)

const warn = (event: BeforeUnloadEvent): void => event.preventDefault()

/** From now on, leaving the page or closing the tab needs a confirmation; until the returned function is called. */
export function guardForm(form: UnsavedForm): () => void {
  if (unsaved.size === 0) addEventListener('beforeunload', warn)
  unsaved.add(form)
  return () => {
    if (unsaved.delete(form) && unsaved.size === 0) removeEventListener('beforeunload', warn)
  }
}

export const hasUnsavedForms = (): boolean => unsaved.size > 0

/** Proceeds at once if nothing is lost, otherwise when the user has confirmed. Concerns all forms, or only the given one. */
export function requestLeave(proceed: () => void, only?: UnsavedForm): void {
  const forms = [...unsaved].filter((form) => only === undefined || form === only)
  if (forms.length === 0) proceed()
  else leaving.set({ forms, proceed })
}

export function confirmLeave(): void {
  const confirmed = leaving.read()
  leaving.set(undefined)
  for (const form of confirmed?.forms ?? []) form.discard()
  confirmed?.proceed()
}

export const cancelLeave = (): void => leaving.set(undefined)

/** True while the user has to confirm that input is lost. */
export const useIsLeaving = (): boolean => leaving.use() !== undefined
