import { useMutation } from '@tanstack/react-query'
import { updateClusterConfig } from '@wharf/contract'
import { useRef } from 'react'
import { go, linkTo } from '../../../frame/route.ts'
import { useWharf } from '../../../wharf/wharf.tsx'
import { type ClusterForm, configurationInput, pluginInput } from './cluster-form.ts'

/** Adds the component where it is new, starts the configuration, and goes where its job is watched. */
export function useForming(pluginUuid: string | undefined) {
  const wharf = useWharf()
  // a configuration that is refused is mended and tried again, on the component that was added for it
  const known = useRef(pluginUuid)
  return useMutation({
    mutationFn: async (form: ClusterForm) => {
      known.current ??= (await wharf.clusterPlugins.add(pluginInput(form))).inventory.uuid
      if (form.kind === 'new') await wharf.start(updateClusterConfig, configurationInput(form, known.current))
      return known.current
    },
    onSuccess: (uuid) => go(linkTo(['clusters', uuid]), { replace: true }),
  })
}
