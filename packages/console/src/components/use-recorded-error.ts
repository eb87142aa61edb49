import { type ErrorCode, errorCatalogue } from '@wharf/contract'
import { elaborate, WharfError } from '@wharf/sdk'
import { useMemo } from 'react'
import { useWharf } from '../data/wharf-context.tsx'

/** An error that a record contains, as if a call had returned it; undefined without a code. */
export function useRecordedError(
  errorCode: string | null | undefined,
  details: string | null | undefined,
): WharfError | undefined {
  const wharf = useWharf()
  return useMemo(() => {
    if (!errorCode) return undefined
    const code = errorCode as ErrorCode
    const { description = '', status = 502 } = errorCatalogue[code] ?? {}
    return new WharfError(
      { code, description, details: details ?? '', elaboration: null, opaque: null, cause: null },
      { status, explain: (found) => elaborate((...parameters) => wharf.call(...parameters), found) },
    )
  }, [wharf, errorCode, details])
}
