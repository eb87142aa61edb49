export const packageStatuses = [
  'Uploading',
  'Uploaded',
  'UploadFailed',
  'Installing',
  'Installed',
  'InstallFailed',
  'Initializing',
  'Initialized',
  'InitializeFailed',
] as const
export type PackageStatus = (typeof packageStatuses)[number]

/** The result of the last verification of an installed package; `Unknown` when it was never verified or cannot be. */
export const packageHealths = ['Unknown', 'Healthy', 'Unhealthy'] as const

/** The statuses that allow each action: the server rejects calls and the console disables buttons by this table. */
export const allowed = {
  install: ['Uploaded', 'InstallFailed'],
  initialise: ['Installed', 'InitializeFailed'],
  reattach: ['Initialized'],
  'take over': ['Installed', 'InitializeFailed', 'Initialized'],
  uninstall: ['Installed', 'InstallFailed', 'InitializeFailed', 'Initialized'],
  upgrade: ['Installed'],
  'roll back': ['Installed'],
  verify: ['Installed', 'InitializeFailed', 'Initialized'],
} as const satisfies Record<string, readonly PackageStatus[]>
