import type { PackageStatus } from '@wharf/contract'

const stepNames = ['Uploading', 'Uploaded', 'Installing', 'Installed', 'Initialized'] as const

/** Statuses that have no step of their own, by the index of the step that they belong to. */
const otherStatuses = { UploadFailed: 0, InstallFailed: 2, Initializing: 4, InitializeFailed: 4 } as const

type OtherStatus = keyof typeof otherStatuses

export interface StatusStep {
  readonly name: (typeof stepNames)[number]
  readonly state: 'success' | 'in-progress' | 'error' | 'stopped' | 'pending'
  readonly isCurrent: boolean
  /** The status to show instead of the name of the step. */
  readonly problem: OtherStatus | undefined
}

/** The steps of a package with its progress: done, current, pending. */
export function statusSteps(status: PackageStatus, isCancelled = false): StatusStep[] {
  const other = isOtherStatus(status) ? status : undefined
  const current = isOtherStatus(status) ? otherStatuses[status] : stepNames.indexOf(status)
  return stepNames.map((name, index) => ({
    name,
    state: index === current ? (isCancelled ? 'stopped' : stateOf(status)) : index < current ? 'success' : 'pending',
    isCurrent: index === current,
    problem: index === current ? other : undefined,
  }))
}

const isOtherStatus = (status: PackageStatus): status is OtherStatus => Object.hasOwn(otherStatuses, status)

const stateOf = (status: PackageStatus): StatusStep['state'] =>
  status.endsWith('Failed') ? 'error' : status.endsWith('ing') ? 'in-progress' : 'success'
