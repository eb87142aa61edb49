import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import type { AnswerOf } from '@wharf/contract'
import type { CallableOperation, InputOf, JobCallOptions } from '@wharf/sdk'
import { useWharf } from './wharf-context.tsx'

interface QueryOptions {
  /** Ask only when this is true. */
  readonly enabled?: boolean
  /** What no event tells of is asked again this often. */
  readonly pollMs?: number
}

/** What the server answers, kept true by `changes.ts`: the first part of the key is the resource that events name. */
export function useApiQuery<O extends CallableOperation>(
  operation: O,
  input: InputOf<O>,
  { enabled = true, pollMs }: QueryOptions = {},
): UseQueryResult<AnswerOf<O>> {
  const wharf = useWharf()
  return useQuery<AnswerOf<O>>({
    queryKey: [operation.resource, operation.name, input],
    queryFn: ({ signal }) => wharf.call(operation, input, { signal }) as Promise<AnswerOf<O>>,
    placeholderData: keepPreviousData,
    enabled,
    ...(pollMs === undefined ? {} : { refetchInterval: pollMs }),
  })
}

/** An operation that somebody may ask for: `run(input)`. Its job is waited for; jobs show in the notifications anyway. */
export function useApiMutation<O extends CallableOperation>(
  operation: O,
  options: JobCallOptions = {},
): UseMutationResult<AnswerOf<O>, Error, InputOf<O>> {
  const wharf = useWharf()
  return useMutation<AnswerOf<O>, Error, InputOf<O>>({
    mutationFn: (input) => wharf.call(operation, input, options) as Promise<AnswerOf<O>>,
  })
}
