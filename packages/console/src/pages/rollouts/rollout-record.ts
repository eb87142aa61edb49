import type { queryRollout } from '@wharf/contract'
import type { RecordOf } from '../../components/ResourceTable.tsx'

export type RolloutRecord = Required<RecordOf<typeof queryRollout>>
