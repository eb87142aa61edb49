import type { queryBackupStorage } from '@wharf/contract'
import type { RecordOf } from '../../components/ResourceTable.tsx'

export type StorageRecord = Required<RecordOf<typeof queryBackupStorage>>
