import { useMutation } from '@tanstack/react-query'
import { updateClusterConfig } from '@wharf/contract'
import { useMemo } from 'react'
import { go, linkTo } from '../../../frame/route.ts'
import { useWharf } from '../../../wharf/wharf.tsx'
import { type ClusterForm, configurationInput } from './cluster-form.ts'
import { Forming } from './forming.ts'

/** Adds the component where it is new, starts the configuration, and goes where its job is watched. */
export function useForming(pluginUuid: string | undefined) {
  const wharf = useWharf()
  const forming = useMemo(() => new Forming(wharf), [wharf])
  const submission = useMutation({
    mutationFn: async (form: ClusterForm) => {
      if (pluginUuid === undefined) return forming.form(form)
      await wharf.start(updateClusterConfig, configurationInput(form, pluginUuid))
      return pluginUuid
    },
    onSuccess: (uuid) => go(linkTo(['clusters', uuid]), { replace: true }),
  })
  const leaving = useMutation({
    mutationFn: () => forming.takeBack(),
    // what cannot be removed now is shown, with the button to remove it
    onSettled: () => {
      const shown = forming.left ?? pluginUuid
      go(linkTo(shown === undefined ? ['clusters'] : ['clusters', shown]))
    },
  })
  return {
    submit: submission.mutate,
    leave: () => leaving.mutate(),
    isBusy: submission.isPending || leaving.isPending,
    error: submission.error,
  }
}
