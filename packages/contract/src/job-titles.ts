const on = (place: string | undefined): string => (place ? ` on ${place}` : '')
const to = (place: string | undefined): string => (place ? ` to ${place}` : '')
const from = (place: string | undefined): string => (place ? ` from ${place}` : '')

/** Unknown names are omitted. */
export type JobTitle = (name: string | undefined, place: string | undefined) => string

/** The English title of a job by its operation. */
export const jobTitles = {
  UploadSoftwarePackage: (name, place) => `Upload ${name ?? 'a package'}${to(place)}`,
  UploadSoftwarePackageToBackupStorage: (name, place) =>
    `Upload ${name ?? 'a package'} to ${place ?? 'backup storage'}`,
  InstallSoftwarePackage: (name, place) => `Install ${name ?? 'a package'}${on(place)}`,
  UninstallSoftwarePackage: (name, place) => `Uninstall ${name ?? 'a package'}${from(place)}`,
  UpgradeSoftwarePackage: (name, place) => `Upgrade to ${name ?? 'a release'}${on(place)}`,
  RollBackSoftwarePackage: (name, place) => `Roll back to ${name ?? 'the previous version'}${on(place)}`,
  VerifySoftwarePackage: (name, place) => `Verify ${name ?? 'a package'}${on(place)}`,
  DeleteSoftwarePackage: (name, place) => `Delete ${name ?? 'a package'}${from(place)}`,
  PublishRelease: (name, place) => `Publish ${name ?? 'a package'}${from(place)}`,
  RollOutRelease: (name, place) => `Roll out ${name ?? 'a release'}${to(place)}`,
  VerifyRelease: (name, place) => `Verify ${name ?? 'a release'}${on(place)}`,
  RollBackRelease: (name, place) => `Roll back ${name ?? 'a release'}${on(place)}`,
  RemoveRelease: (name, place) => `Remove ${name ?? 'a release'}${from(place)}`,
  AddHost: (name) => `Add host ${name ?? ''}`.trim(),
  RotateHostKey: (name) => `Rotate the SSH key of host ${name ?? ''}`.trim(),
  UpdateHost: (name) => `Update host ${name ?? ''}`.trim(),
  AddBackupStorage: (name) => `Add backup storage ${name ?? ''}`.trim(),
  UpdateBackupStorage: (name) => `Update backup storage ${name ?? ''}`.trim(),
  AddClusterPlugin: (name) => `Add cluster ${name ?? ''}`.trim(),
  UpdateClusterPlugin: (name) => `Update cluster ${name ?? ''}`.trim(),
  UpdateClusterConfig: (name, place) => `Configure cluster ${name ?? ''}`.trim() + on(place),
  CreateClusterPluginAlertPlatform: (name) => `Receive alerts of cluster ${name ?? ''}`.trim(),
  AttachClusterPluginAlerts: (name) => `Attach alerts of cluster ${name ?? ''}`.trim(),
  RemoveClusterPlugin: (name) => `Remove cluster ${name ?? ''}`.trim(),
  TestChatAppEndpoint: (name) => `Send a test message${to(name)}`,
  CreateMigrateVmInstance: (name, place) => `Create VM ${name ?? ''}`.trim() + on(place),
  DeleteMigrateVmInstance: (name, place) => `Delete VM ${name ?? ''}`.trim() + from(place),
} as const satisfies Record<string, JobTitle>

/** What a job's record contains of the records that it works on. */
export interface NamedJob {
  readonly operation?: string | undefined
  readonly subjectName?: string | null | undefined
  readonly subjectVersion?: string | null | undefined
  readonly targetName?: string | null | undefined
}

/** `exporter 2.1.0`; a name that already contains the version stays as it is. */
export const versionedName = ({ subjectName, subjectVersion }: NamedJob): string | undefined =>
  subjectName && subjectVersion && !subjectName.includes(subjectVersion)
    ? `${subjectName} ${subjectVersion}`
    : (subjectName ?? undefined)

/** `Install exporter 2.1.0 on web-1`; an operation without a title is named itself. */
export function jobTitle(job: NamedJob, titles: Readonly<Record<string, JobTitle>> = jobTitles): string {
  const { operation = '', targetName } = job
  const name = versionedName(job)
  const title = Object.hasOwn(titles, operation) ? titles[operation] : undefined
  return title?.(name, targetName ?? undefined) ?? [operation, name].filter(Boolean).join(' ')
}
