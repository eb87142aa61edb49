import { useMutation } from '@tanstack/react-query'
import { type AnswerOf, getCandidateMiniHosts, getHostKeys } from '@wharf/contract'
import { useEffect, useState } from 'react'
import { useCaller, useRefusal } from '../../../components/permission.ts'
import { useApiQuery } from '../../../data/api-query.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { type HostForm, targetOf } from './host-form.ts'

export type OfferedKey = AnswerOf<typeof getHostKeys>['keys'][number]

interface Endpoint {
  readonly address: string
  readonly sshPort: number
}

const endpointKey = ({ address, sshPort }: Endpoint): string => `${address} ${sshPort}`

/** The keys that the host offers; a changed address or port discards them. */
export function useHostKeys(form: HostForm) {
  const wharf = useWharf()
  const [chosen, choose] = useState<{ endpoint: string; fingerprint: string | undefined }>()
  const { address, sshPort } = targetOf(form)
  const target = { address, sshPort }
  const endpoint = endpointKey(target)
  const loading = useMutation({
    mutationFn: async (target: Endpoint) => ({
      ...(await wharf.call(getHostKeys, target)),
      endpoint: endpointKey(target),
    }),
    onSuccess: ({ endpoint, keys }) => choose({ endpoint, fingerprint: keys[0]?.fingerprint }),
  })
  const isCandidate = useIsCandidate(address)
  const { mutate } = loading
  // opening the page must not call an operation that the role may not call
  const canLoadKeys = useCanLoadKeys()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what the form began with
  useEffect(() => {
    if (isCandidate && canLoadKeys && loading.status === 'idle') mutate(target)
  }, [isCandidate, canLoadKeys])
  const found = loading.data?.endpoint === endpoint ? loading.data : undefined
  return {
    shown: found?.keys ?? [],
    chosen: found && chosen?.endpoint === endpoint ? chosen.fingerprint : undefined,
    isLoading: loading.isPending,
    error: loading.error,
    choose: (fingerprint: string) => choose({ endpoint, fingerprint }),
    load: async (): Promise<void> => mutate(target),
  }
}

function useCanLoadKeys(): boolean {
  const isKnown = useCaller() !== undefined
  const refused = useRefusal()
  return isKnown && refused(getHostKeys) === undefined
}

/** A link must not make the server connect to any address: only candidates are queried without a click. */
function useIsCandidate(address: string): boolean {
  const [initialAddress] = useState(address)
  const { data } = useApiQuery(getCandidateMiniHosts, {}, { enabled: initialAddress !== '' })
  if (initialAddress === '') return false
  return (data?.hosts ?? []).some((host) =>
    [host.ipv4Address, host.ipv6Address, host.hostName].some((known) => known === initialAddress),
  )
}
