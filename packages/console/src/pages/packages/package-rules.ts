import { allowed, type PackageStatus } from '@wharf/contract'

interface PackageState {
  readonly status: PackageStatus
  readonly type: string
  readonly hostUuid: string | null
}

export type PackageAction = 'install' | 'uninstall' | 'upgrade' | 'roll back' | 'verify'

/** The statuses that an action needs; undefined if the current one is among them. */
export function requiredStatuses(action: PackageAction, status: PackageStatus): readonly PackageStatus[] | undefined {
  const required: readonly PackageStatus[] = allowed[action]
  return required.includes(status) ? undefined : required
}

const isInstalled = ({ status }: PackageState): boolean => requiredStatuses('uninstall', status) === undefined

/** The keys of the messages that explain what deleting a package does. */
export function deletionConsequences(state: PackageState, isBusy: boolean) {
  return [
    'deleteConsequences' as const,
    ...(state.hostUuid && isInstalled(state) ? ['deleteInstalled' as const] : []),
    ...(state.type === 'Migrate' && isInstalled(state) ? ['deleteMigrate' as const] : []),
    ...(isBusy || state.status === 'Uploading' ? ['deleteBusy' as const] : []),
  ]
}

/** Enforcing cancels a running job, and deletes the virtual machines of a migration package. */
export const deleteMode = ({ type }: Pick<PackageState, 'type'>, isBusy: boolean): 'Enforcing' | 'Permissive' =>
  isBusy || type === 'Migrate' ? 'Enforcing' : 'Permissive'
