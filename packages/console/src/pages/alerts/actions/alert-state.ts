import type { queryThirdpartyAlert } from '@wharf/contract'
import { parseTime } from '../../../components/parse-time.ts'
import type { RecordOf } from '../../../components/ResourceTable.tsx'

export type Alert = RecordOf<typeof queryThirdpartyAlert>

/** Whether its silence lasts. */
export const isSilenced = ({ silencedUntil }: Alert, now: number): boolean =>
  silencedUntil ? parseTime(silencedUntil).getTime() > now : false
