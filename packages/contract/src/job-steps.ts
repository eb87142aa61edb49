/** The steps of each job operation in their order, and what each does. */
export const jobSteps = {
  AddBackupStorage: { pin: 'Pin the host key', try: 'Write and read a test file' },
  AddClusterPlugin: { try: 'Sign in to the cluster' },
  AddHost: { pin: 'Pin the host key', connect: 'Connect and read properties' },
  AttachClusterPluginAlerts: { attach: 'Configure the alerts of the cluster' },
  CreateClusterPluginAlertPlatform: { attach: 'Configure the alerts of the cluster' },
  CreateMigrateVmInstance: {
    check: 'Check for an existing VM',
    image: 'Copy the image to the host',
    disk: 'Create the disk',
    start: 'Start the VM',
  },
  DeleteMigrateVmInstance: { remove: 'Delete the VM and its disk' },
  DeleteSoftwarePackage: { remove: 'Delete the files of the package' },
  InstallSoftwarePackage: {
    copy: 'Copy the package to the host',
    run: 'Run the install hook',
    provide: 'Prepare the resources of the package',
    verify: 'Run the verify hook',
  },
  PublishRelease: { digest: 'Compute the SHA-256 of the package' },
  RemoveClusterPlugin: { detach: 'Detach the alerts of the cluster' },
  RemoveRelease: { uninstall: 'Run the uninstall hook', remove: 'Remove the files from the host' },
  RollBackRelease: {
    check: 'Check whether the host still has the earlier version',
    transfer: 'Create the folders, transfer and inspect the archive',
    unpack: 'Unpack the archive',
    place: 'Publish the unpacked folder',
    tidy: 'Remove temporary files',
    register: 'Record the earlier version',
    uninstall: 'Run the uninstall hook of the release',
    install: 'Run the install hook of the earlier version',
    verify: 'Run the verify hook of the earlier version',
  },
  RollOutRelease: {
    check: 'Check the path',
    transfer: 'Create the folders, transfer and inspect the archive',
    unpack: 'Unpack the archive',
    place: 'Publish the unpacked folder',
    tidy: 'Remove temporary files',
    register: 'Record the new version',
    uninstall: 'Run the uninstall hook of the old version',
    install: 'Run the install or upgrade hook of the new version',
    verify: 'Run the verify hook of the new version',
    remove: 'Remove versions that are no longer kept',
  },
  RollBackSoftwarePackage: {
    uninstall: 'Run the uninstall hook of the current version',
    install: 'Run the install hook of the previous version',
    verify: 'Run the verify hook of the previous version',
  },
  RotateHostKey: {
    generate: 'Generate a key',
    install: 'Install it on the host',
    'sign-in': 'Sign in with it',
    store: 'Use it from now on',
    remove: 'Remove the former key from the host',
  },
  TestChatAppEndpoint: { send: 'Send the test message' },
  UninstallSoftwarePackage: {
    run: 'Run the uninstall hook',
    withdraw: 'Release the resources of the package',
    remove: 'Remove the files from the host',
  },
  UpdateBackupStorage: { pin: 'Pin the host key', try: 'Write and read a test file', find: 'Find the packages' },
  UpdateClusterConfig: {
    reach: 'Check that the nodes reach each other',
    initialise: 'Initialize the cluster',
    quorum: 'Wait for the quorum',
    token: 'Create an API token',
    alerts: 'Configure the alerts of the cluster',
  },
  UpdateClusterPlugin: { try: 'Sign in to the cluster' },
  UpdateHost: { pin: 'Pin the host key', connect: 'Connect and read properties' },
  UpgradeSoftwarePackage: {
    check: 'Check the path',
    transfer: 'Create the folders, transfer and inspect the archive',
    unpack: 'Unpack the archive',
    place: 'Publish the unpacked folder',
    tidy: 'Remove temporary files',
    register: 'Record the new version',
    uninstall: 'Run the uninstall hook of the old version',
    install: 'Run the install or upgrade hook of the new version',
    verify: 'Run the verify hook of the new version',
    remove: 'Remove versions that are no longer kept',
  },
  UploadSoftwarePackage: {
    check: 'Check the path',
    transfer: 'Create the folders, transfer and inspect the archive',
    unpack: 'Unpack the archive',
    place: 'Publish the unpacked folder',
    tidy: 'Remove temporary files',
  },
  UploadSoftwarePackageToBackupStorage: {
    reserve: 'Reserve the path',
    transfer: 'Transfer and inspect the archive',
    unpack: 'Extract the images',
    tidy: 'Remove temporary files',
  },
  VerifyRelease: { verify: 'Run the verify hook' },
  VerifySoftwarePackage: { verify: 'Run the verify hook' },
} as const satisfies Record<string, Record<string, string>>

/** What a step does; its name, when this version does not know it. */
export function jobStepTitle(operation: string, step: string): string {
  const steps: Record<string, Record<string, string>> = jobSteps
  return steps[operation]?.[step] ?? step
}

/** A log line with which a step or its undo starts, as `titleOf` shows it; other lines as they are. */
export function titledLogLine(line: string, titleOf: (kind: 'step' | 'undo', step: string) => string): string {
  const [, kind, step = ''] = /^(step|undo) ([\w-]+)$/.exec(line) ?? []
  return kind === 'step' || kind === 'undo' ? titleOf(kind, step) : line
}
