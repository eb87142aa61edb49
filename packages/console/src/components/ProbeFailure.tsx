import { type ErrorCode, errorCatalogue } from '@wharf/contract'
import { elaborate, WharfError } from '@wharf/sdk'
import { useMemo } from 'react'
import { useWharf } from '../data/wharf-context.tsx'
import { ErrorAlert } from './ErrorAlert.tsx'

interface Probed {
  readonly status?: string
  readonly errorCode?: string | null
  readonly errorDetails?: string | null
}

/** Why a host or backup storage is Disconnected; nothing while it is connected, or when the server does not know. */
export function ProbeFailure({ record: { status, errorCode, errorDetails } }: { record: Probed }) {
  const wharf = useWharf()
  const error = useMemo(() => {
    if (status !== 'Disconnected' || !errorCode) return undefined
    const code = errorCode as ErrorCode
    const { description = '', status: httpStatus = 502 } = errorCatalogue[code] ?? {}
    return new WharfError(
      { code, description, details: errorDetails ?? '', elaboration: null, opaque: null, cause: null },
      { status: httpStatus, explain: (found) => elaborate((...parameters) => wharf.call(...parameters), found) },
    )
  }, [wharf, status, errorCode, errorDetails])
  return error ? <ErrorAlert error={error} /> : null
}
