import { useQuery } from '@tanstack/react-query'
import { useWharf } from '../data/wharf-context.tsx'

/** Why a job has failed: the whole of it stands at the job itself, not in its record. */
export function useJobFailure(uuid: string, hasFailed: boolean): unknown {
  const wharf = useWharf()
  const { data } = useQuery({
    queryKey: ['job failure', uuid],
    enabled: hasFailed,
    queryFn: () =>
      wharf
        .job(uuid)
        .look()
        .then(
          () => null,
          (failure: unknown) => ({ failure }),
        ),
  })
  return data?.failure
}
