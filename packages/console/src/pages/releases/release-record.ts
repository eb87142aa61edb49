import type { queryRelease } from '@wharf/contract'
import type { RecordOf } from '../../components/ResourceTable.tsx'

/** A release with all its fields. */
export type ReleaseRecord = Required<RecordOf<typeof queryRelease>>
