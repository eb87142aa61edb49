import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { readDraft, removeDraft, writeDraft } from '../browser/draft-storage.ts'
import { guardForm, requestLeave, type UnsavedForm } from '../browser/leave-guard.ts'
import { useSession } from '../data/session.ts'
import { changesOf, restorable } from './form-changes.ts'

interface DraftOptions<T> {
  /** Fields that are not stored, besides passwords, keys and tokens, which their names show. */
  readonly secrets?: (form: T) => readonly string[]
  /** False for input that may contain secrets anywhere: it is guarded, but not stored. */
  readonly isStored?: boolean
}

/** The part of a form that its frame needs. */
export interface DraftState {
  readonly isDirty: boolean
  /** The input is from before a reload. */
  readonly isRestored: boolean
  /** Proceeds when the input is saved, or the user agrees to lose it. */
  readonly leave: (proceed: () => void) => void
  /** Forgets the input: after it was saved, or when the user does not want it. */
  readonly discard: () => void
}

export interface FormDraft<T> extends DraftState {
  readonly form: T
  readonly setForm: (next: T | ((before: T) => T)) => void
}

/**
 * The fields of a form. Input that is not saved survives a reload, and is not lost without a confirmation. Fields that
 * the user has not changed follow `initial`.
 */
export function useFormDraft<T extends object>(
  name: string,
  initial: T,
  { secrets = () => [], isStored = true }: DraftOptions<T> = {},
): FormDraft<T> {
  const key = `${useSession()?.userUuid}.${name}`
  const [typed, setTyped] = useState<Partial<T>>(() => restorable(readDraft(key), initial))
  const [isRestored, setRestored] = useState(() => Object.keys(changesOf({ ...initial, ...typed }, initial)).length > 0)
  const form = { ...initial, ...typed }
  const changes = changesOf(form, initial)
  const isDirty = Object.keys(changes).length > 0
  const stored = isDirty && isStored ? JSON.stringify([changes, secrets(form)]) : undefined
  useEffect(() => {
    if (stored === undefined) return removeDraft(key)
    const [kept, hidden] = JSON.parse(stored) as [Record<string, unknown>, string[]]
    writeDraft(key, kept, hidden)
  }, [key, stored])
  const release = useRef(() => {})
  const discard = useCallback((): void => {
    release.current()
    removeDraft(key)
    setTyped({})
    setRestored(false)
  }, [key])
  const unsaved = useMemo((): UnsavedForm => ({ discard }), [discard])
  useEffect(() => {
    if (!isDirty) return
    release.current = guardForm(unsaved)
    return () => release.current()
  }, [isDirty, unsaved])
  return {
    form,
    setForm: (next) =>
      setTyped((before) => changesOf(typeof next === 'function' ? next({ ...initial, ...before }) : next, initial)),
    isDirty,
    isRestored: isRestored && isDirty,
    leave: (proceed) => requestLeave(proceed, unsaved),
    discard,
  }
}
