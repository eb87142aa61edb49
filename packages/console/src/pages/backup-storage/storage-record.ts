import type { queryBackupStorage } from '@wharf/contract'
import type { RecordOf } from '../../parts/ResourceTable.tsx'

export type StorageRecord = Required<RecordOf<typeof queryBackupStorage>>
