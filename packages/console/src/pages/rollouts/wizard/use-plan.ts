import { useQuery } from '@tanstack/react-query'
import { createRollout } from '@wharf/contract'
import type { InputOf } from '@wharf/sdk'
import { useWharf } from '../../../data/wharf-context.tsx'

/** The plan of a dry run. It is not refetched by events, since planning many hosts takes a second; there is a button. */
export function usePlan(input: InputOf<typeof createRollout>, enabled: boolean) {
  const wharf = useWharf()
  return useQuery({
    queryKey: ['rollout plan', input],
    queryFn: async ({ signal }) => (await wharf.call(createRollout, { ...input, dryRun: true }, { signal })).plan ?? [],
    enabled,
    // the input may contain secrets
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
}
