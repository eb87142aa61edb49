import { useMutation } from '@tanstack/react-query'
import { getCandidateMiniHosts } from '@wharf/contract'
import { useEffect, useState } from 'react'
import { useAnswer } from '../../../wharf/answers.ts'
import { useWharf } from '../../../wharf/wharf.tsx'
import { type HostForm, targetOf } from './host-form.ts'
import { askForHostKeys, type Target } from './host-key.ts'

const placeOf = ({ address, sshPort }: Target): string => `${address} ${sshPort}`

/** The keys that the host of the form has shown. Another address or port means another host, of which none are known. */
export function useHostKeys(form: HostForm) {
  const wharf = useWharf()
  const [chosen, choose] = useState<{ place: string; fingerprint: string | undefined }>()
  const target = targetOf(form)
  const place = placeOf(target)
  const asking = useMutation({
    mutationFn: async (asked: Target) => ({ place: placeOf(asked), shown: await askForHostKeys(wharf, asked) }),
    onSuccess: ({ place, shown }) => choose({ place, fingerprint: shown[0] }),
  })
  const isCandidate = useIsCandidate(target.address)
  const { mutate } = asking
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what the form began with
  useEffect(() => {
    if (isCandidate && asking.status === 'idle') mutate(target)
  }, [isCandidate])
  const found = asking.data?.place === place ? asking.data : undefined
  return {
    shown: found?.shown ?? [],
    chosen: found && chosen?.place === place ? chosen.fingerprint : undefined,
    isAsking: asking.isPending,
    error: asking.error,
    choose: (fingerprint: string) => choose({ place, fingerprint }),
    ask: async (): Promise<void> => mutate(target),
  }
}

/** A link alone must not send the server anywhere: only a machine that it sees itself is asked without a click. */
function useIsCandidate(address: string): boolean {
  const [begun] = useState(address)
  const { data } = useAnswer(getCandidateMiniHosts, {}, { enabled: begun !== '' })
  if (begun === '') return false
  return (data?.hosts ?? []).some((host) =>
    [host.ipv4Address, host.ipv6Address, host.hostName].some((known) => known === begun),
  )
}
