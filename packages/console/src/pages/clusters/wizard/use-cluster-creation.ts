import { useMutation } from '@tanstack/react-query'
import { updateClusterConfig } from '@wharf/contract'
import { useMemo } from 'react'
import { linkTo, navigate } from '../../../browser/route.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { ClusterCreation } from './cluster-creation.ts'
import { type ClusterForm, configurationInput } from './cluster-form.ts'

/** Adds the cluster if it is new, starts the configuration, and opens the page of the cluster. */
export function useClusterCreation(pluginUuid: string | undefined, onCreated: () => void) {
  const wharf = useWharf()
  const creation = useMemo(() => new ClusterCreation(wharf), [wharf])
  const submission = useMutation({
    mutationFn: async (form: ClusterForm) => {
      if (pluginUuid === undefined) return creation.form(form)
      await wharf.start(updateClusterConfig, configurationInput(form, pluginUuid))
      return pluginUuid
    },
    onSuccess: (uuid) => {
      onCreated()
      navigate(linkTo(['clusters', uuid]), { replace: true })
    },
  })
  const leaving = useMutation({
    mutationFn: () => creation.removeLeftover(),
    // opens the leftover cluster, which has a button to remove it
    onSettled: () => {
      const shown = creation.leftoverUuid ?? pluginUuid
      navigate(linkTo(shown === undefined ? ['clusters'] : ['clusters', shown]))
    },
  })
  return {
    submit: submission.mutate,
    leave: () => leaving.mutate(),
    isBusy: submission.isPending || leaving.isPending,
    error: submission.error,
  }
}
