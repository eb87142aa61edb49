export { alertmanagerConfig, isLoopbackUrl } from './alertmanager.ts'
export type { AuditExportOptions } from './audit-export.ts'
export type {
  CallableOperation,
  CallOptions,
  InputOf,
  JobCallOptions,
  OutageListener,
  StartOptions,
  Tags,
  WaitOptions,
} from './call-types.ts'
export type { Clock } from './clock.ts'
export {
  type DeviceCode,
  type DeviceKey,
  DeviceLoginError,
  type DeviceLoginOptions,
  signInByDevice,
} from './device-login.ts'
export { elaborate } from './elaborate.ts'
export {
  ConnectionError,
  type Elaboration,
  type ElaborationContent,
  type Language,
  UploadError,
  WharfError,
} from './error.ts'
export type { Change, EventsOptions } from './events/changes.ts'
export type * from './generated-types.ts'
export { HostListError, type ListedHost, readHostList } from './host-list/read-host-list.ts'
export type { AccessKey, SignatureScheme } from './http/access-key-credential.ts'
export type { Answer } from './http/answer.ts'
export type { Login, SessionSource } from './http/credentials.ts'
export type { RetryLimits } from './http/retry.ts'
export { Job } from './jobs/job.ts'
export type { JobPoll, JobStatus } from './jobs/job-status.ts'
export { mergeNewest, newestJobsOf, newestJobUuid, newestReplacementsBy } from './jobs/newest-job.ts'
export { managementNodeForHost } from './management-node.ts'
export type { AllQuery } from './pages.ts'
export { toDate } from './to-date.ts'
export {
  Upload,
  type UploadOptions,
  type UploadProgress,
  type UploadSource,
} from './upload/upload.ts'
export type { UploadedPackage } from './upload/upload-client.ts'
export { type Started, Wharf, type WharfOptions } from './wharf.ts'
