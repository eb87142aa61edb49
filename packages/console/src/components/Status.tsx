import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator'
import { useStatusNames } from './statuses/use-status-names.ts'

/** The indicator of each status and state of the API; others are shown as info. */
const indicatorTypes: Readonly<Record<string, StatusIndicatorProps.Type>> = {
  Alive: 'success',
  Connected: 'success',
  Enabled: 'success',
  Ready: 'success',
  Running: 'success',
  Installed: 'success',
  Initialized: 'success',
  Uploaded: 'success',
  Succeeded: 'success',
  Success: 'success',
  Delivered: 'success',
  resolved: 'success',
  Published: 'success',
  Healthy: 'success',
  AlreadyInstalled: 'success',
  Connecting: 'in-progress',
  Creating: 'in-progress',
  Uploading: 'in-progress',
  Installing: 'in-progress',
  Uninstalling: 'in-progress',
  Initializing: 'in-progress',
  Undoing: 'in-progress',
  RollingBack: 'in-progress',
  Soaking: 'in-progress',
  Transferring: 'in-progress',
  Verifying: 'in-progress',
  Accepted: 'pending',
  Waiting: 'pending',
  Pending: 'pending',
  AwaitingApproval: 'pending',
  AwaitingPromotion: 'pending',
  Scheduled: 'pending',
  Dead: 'error',
  Disconnected: 'error',
  UploadFailed: 'error',
  InstallFailed: 'error',
  UninstallFailed: 'error',
  InitializeFailed: 'error',
  Failed: 'error',
  Failure: 'error',
  Missing: 'error',
  firing: 'error',
  Unhealthy: 'error',
  TimedOut: 'error',
  Unreachable: 'error',
  RollbackFailed: 'error',
  Disabled: 'stopped',
  Denied: 'stopped',
  Skipped: 'stopped',
  RolledBack: 'stopped',
  Cancelled: 'stopped',
  Stopped: 'stopped',
  Retired: 'stopped',
  Unknown: 'warning',
  Paused: 'warning',
}

interface StatusProps {
  readonly value: string | null | undefined
  /** Instead of the usual name of the status. */
  readonly name?: string | undefined
  readonly isJob?: boolean
}

/** A running job is in progress, a running VM is healthy. */
export function Status({ value, name, isJob = false }: StatusProps) {
  const nameOf = useStatusNames()
  return (
    <StatusIndicator type={isJob && value === 'Running' ? 'in-progress' : (indicatorTypes[value ?? ''] ?? 'info')}>
      {name ?? (value ? nameOf(value) : '–')}
    </StatusIndicator>
  )
}
