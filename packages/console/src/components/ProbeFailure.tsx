import { ErrorAlert } from './ErrorAlert.tsx'
import { useRecordedError } from './use-recorded-error.ts'

interface Probed {
  readonly status?: string
  readonly errorCode?: string | null
  readonly errorDetails?: string | null
}

/** Why a host or backup storage is Disconnected; nothing while it is connected, or when the server does not know. */
export function ProbeFailure({ record: { status, errorCode, errorDetails } }: { record: Probed }) {
  const error = useRecordedError(status === 'Disconnected' ? errorCode : undefined, errorDetails)
  return error ? <ErrorAlert error={error} /> : null
}
