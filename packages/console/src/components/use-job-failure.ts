import { useQuery } from '@tanstack/react-query'
import { useWharf } from '../data/wharf-context.tsx'

/** The complete error of a failed job; its record contains only the code. */
export function useJobFailure(uuid: string, hasFailed: boolean): unknown {
  const wharf = useWharf()
  const { data } = useQuery({
    queryKey: ['job failure', uuid],
    enabled: hasFailed,
    queryFn: () =>
      wharf
        .job(uuid)
        .poll()
        .then(
          () => null,
          (failure: unknown) => ({ failure }),
        ),
  })
  return data?.failure
}
