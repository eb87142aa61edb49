import type { querySoftwarePackage } from '@wharf/contract'
import type { RecordOf } from '../../parts/ResourceTable.tsx'

export type PackageRecord = Required<RecordOf<typeof querySoftwarePackage>>
