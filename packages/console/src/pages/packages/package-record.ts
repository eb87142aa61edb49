import type { querySoftwarePackage } from '@wharf/contract'
import type { RecordOf } from '../../components/ResourceTable.tsx'

export type PackageRecord = Required<RecordOf<typeof querySoftwarePackage>>
