import type { CallableOperation, InputOf } from '@wharf/sdk'
import { linkTo } from '../../browser/route.ts'
import { useApiQuery } from '../../data/api-query.ts'
import { kindOf, kinds } from './record-kind.ts'

interface Job {
  readonly operation?: string | undefined
  readonly subjectUuid?: string | null | undefined
}

/** The page of the record that a job works on, while the record exists. */
export function useJobSubject({ operation = '', subjectUuid }: Job): string | undefined {
  const kind = kindOf(operation)
  const isQueried = kind !== undefined && kind !== 'migration' && Boolean(subjectUuid)
  const query: CallableOperation = kinds[isQueried ? kind : 'packages']
  const input = { q: [`uuid=${subjectUuid}`], count: true } as InputOf<typeof query>
  const { data } = useApiQuery(query, input, { enabled: isQueried })
  // virtual machines have no page of their own
  if (kind === 'migration') return linkTo([kind])
  const isFound = isQueried && ((data as { total?: number } | undefined)?.total ?? 0) > 0
  return isFound ? linkTo([kind, subjectUuid ?? '']) : undefined
}
