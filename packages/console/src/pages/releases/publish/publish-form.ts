import { type Draft, isType } from '../../../features/uploads/drafts.ts'
import { safeFileName } from '../../../features/uploads/suggested-path.ts'

/** The fields as chosen and typed. */
export interface PublishForm {
  readonly source: 'package' | 'file'
  readonly packageUuid: string
  /** The chosen file, with the name and type in its manifest. */
  readonly upload: Draft | undefined
  /** Empty: the one with the most free space. */
  readonly storageUuid: string
  readonly description: string
}

export const newPublication: PublishForm = {
  source: 'package',
  packageUuid: '',
  upload: undefined,
  storageUuid: '',
  description: '',
}

export type Problem = 'noPackage' | 'noFile' | 'badType'

/** Why the form cannot be sent. */
export function problemOf({ source, packageUuid, upload }: PublishForm): Problem | undefined {
  if (source === 'package') return packageUuid === '' ? 'noPackage' : undefined
  if (upload === undefined) return 'noFile'
  return isType(upload.type) ? undefined : 'badType'
}

/** Where the file is stored: beside the other releases, as the command does. */
export const destinationOf = ({ file, name, type }: Draft, storageUuid: string) => ({
  name,
  type,
  installPath: `releases/${safeFileName(file.name)}`,
  ...(storageUuid === '' ? { toBackupStorage: true as const } : { backupStorageUuid: storageUuid }),
})

export function publicationOf(softwarePackageUuid: string, { description }: PublishForm) {
  const text = description.trim()
  return { softwarePackageUuid, ...(text === '' ? {} : { description: text }) }
}
