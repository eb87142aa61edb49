import { useMutation } from '@tanstack/react-query'
import { type AnswerOf, getCandidateMiniHosts, lookAtHostKeys } from '@wharf/contract'
import { useEffect, useState } from 'react'
import { useCaller, useRefusal } from '../../../components/permission.ts'
import { useApiQuery } from '../../../data/api-query.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { type HostForm, targetOf } from './host-form.ts'

export type OfferedKey = AnswerOf<typeof lookAtHostKeys>['keys'][number]

interface Place {
  readonly address: string
  readonly sshPort: number
}

const nameOf = ({ address, sshPort }: Place): string => `${address} ${sshPort}`

/** The keys that the host of the form has shown. Another address or port means another host, of which none are known. */
export function useHostKeys(form: HostForm) {
  const wharf = useWharf()
  const [chosen, choose] = useState<{ place: string; fingerprint: string | undefined }>()
  const { address, sshPort } = targetOf(form)
  const target = { address, sshPort }
  const place = nameOf(target)
  const asking = useMutation({
    mutationFn: async (asked: Place) => ({ ...(await wharf.call(lookAtHostKeys, asked)), place: nameOf(asked) }),
    onSuccess: ({ place, keys }) => choose({ place, fingerprint: keys[0]?.fingerprint }),
  })
  const isCandidate = useIsCandidate(address)
  const { mutate } = asking
  // whoever may not ask does not ask by opening a page
  const mayAsk = useMayAsk()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what the form began with
  useEffect(() => {
    if (isCandidate && mayAsk && asking.status === 'idle') mutate(target)
  }, [isCandidate, mayAsk])
  const found = asking.data?.place === place ? asking.data : undefined
  return {
    shown: found?.keys ?? [],
    chosen: found && chosen?.place === place ? chosen.fingerprint : undefined,
    isConfirming: asking.isPending,
    error: asking.error,
    choose: (fingerprint: string) => choose({ place, fingerprint }),
    ask: async (): Promise<void> => mutate(target),
  }
}

function useMayAsk(): boolean {
  const isKnown = useCaller() !== undefined
  const refused = useRefusal()
  return isKnown && refused(lookAtHostKeys) === undefined
}

/** A link alone must not send the server anywhere: only a machine that it sees itself is asked without a click. */
function useIsCandidate(address: string): boolean {
  const [begun] = useState(address)
  const { data } = useApiQuery(getCandidateMiniHosts, {}, { enabled: begun !== '' })
  if (begun === '') return false
  return (data?.hosts ?? []).some((host) =>
    [host.ipv4Address, host.ipv6Address, host.hostName].some((known) => known === begun),
  )
}
