import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator'

/** How the statuses and states of the API look; what is not named here is neither good nor bad. */
const looks: Readonly<Record<string, StatusIndicatorProps.Type>> = {
  Connected: 'success',
  Enabled: 'success',
  Ready: 'success',
  Running: 'success',
  Installed: 'success',
  Initialized: 'success',
  Uploaded: 'success',
  Succeeded: 'success',
  Delivered: 'success',
  resolved: 'success',
  Connecting: 'in-progress',
  Uploading: 'in-progress',
  Installing: 'in-progress',
  Uninstalling: 'in-progress',
  Initializing: 'in-progress',
  Undoing: 'in-progress',
  Waiting: 'pending',
  Disconnected: 'error',
  UploadFailed: 'error',
  InstallFailed: 'error',
  UninstallFailed: 'error',
  InitializeFailed: 'error',
  Failed: 'error',
  Missing: 'error',
  firing: 'error',
  Disabled: 'stopped',
  Cancelled: 'stopped',
  Stopped: 'stopped',
  Unknown: 'warning',
}

/** The word is the API's own in both languages, so that it can be searched for. A running job is at work, a VM is well. */
export const Status = ({ value, isJob = false }: { value: string | null | undefined; isJob?: boolean }) => (
  <StatusIndicator type={isJob && value === 'Running' ? 'in-progress' : (looks[value ?? ''] ?? 'info')}>
    {value ?? '–'}
  </StatusIndicator>
)
