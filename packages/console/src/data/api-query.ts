import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { AnswerOf } from '@wharf/contract'
import type { CallableOperation, InputOf, JobCallOptions, Wharf } from '@wharf/sdk'
import { useWharf } from './wharf-context.tsx'

interface QueryOptions {
  readonly enabled?: boolean
  /** Polls what no event reports. */
  readonly pollMs?: number
}

/** Queries the server; events refetch it by the resource, the first part of the key. */
export function useApiQuery<O extends CallableOperation>(
  operation: O,
  input: InputOf<O>,
  { enabled = true, pollMs }: QueryOptions = {},
): UseQueryResult<AnswerOf<O>> {
  const wharf = useWharf()
  return useQuery<AnswerOf<O>>({
    ...queryOf(wharf, operation, input),
    placeholderData: keepPreviousData,
    enabled,
    ...(pollMs === undefined ? {} : { refetchInterval: pollMs }),
  })
}

/** The same operation with several inputs. */
export function useApiQueries<O extends CallableOperation>(
  operation: O,
  inputs: readonly InputOf<O>[],
): UseQueryResult<AnswerOf<O>>[] {
  const wharf = useWharf()
  return useQueries({
    queries: inputs.map((input) => queryOf(wharf, operation, input)),
  })
}

/** Reads what a query with this input is about to show; a failure is left to that query. */
export function usePrefetch<O extends CallableOperation>(operation: O): (input: InputOf<O>) => Promise<void> {
  const wharf = useWharf()
  const queries = useQueryClient()
  return (input) => queries.prefetchQuery(queryOf(wharf, operation, input))
}

const queryOf = <O extends CallableOperation>(wharf: Wharf, operation: O, input: InputOf<O>) => ({
  queryKey: [operation.resource, operation.name, input],
  queryFn: ({ signal }: { signal: AbortSignal }) => wharf.call(operation, input, { signal }) as Promise<AnswerOf<O>>,
})

/** Calls an operation and waits for its job. */
export function useApiMutation<O extends CallableOperation>(
  operation: O,
  options: JobCallOptions = {},
): UseMutationResult<AnswerOf<O>, Error, InputOf<O>> {
  const wharf = useWharf()
  return useMutation<AnswerOf<O>, Error, InputOf<O>>({
    mutationFn: (input) => wharf.call(operation, input, options) as Promise<AnswerOf<O>>,
  })
}
