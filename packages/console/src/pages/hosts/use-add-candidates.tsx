import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import { addHost, getHostKeys } from '@wharf/contract'
import { useState } from 'react'
import type { BulkAction } from '../../components/table/bulk/bulk-action.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { addressOf, type Candidate, nameOf } from './candidate.ts'
import { messages } from './messages.ts'

const sshPort = 22

/** Adds candidates with the key of the server. Their host keys are shown before they are trusted. */
export function useAddCandidates(): BulkAction<Candidate, { readonly fingerprint: string }> {
  const t = useMessages(messages)
  const wharf = useWharf()
  const [username, setUsername] = useState('root')
  const inputOf = (host: Candidate, { fingerprint }: { readonly fingerprint: string }) => {
    const address = addressOf(host)
    const fields = { driver: 'ssh' as const, name: nameOf(host) ?? address, address, sshPort }
    return { ...fields, username: username.trim(), hostKeyFingerprint: fingerprint }
  }
  return {
    id: 'add',
    label: t.addThis,
    operation: addHost,
    consequences: t.bulkAddConsequences,
    form: (
      <FormField label={t.username} description={t.usernameHelp}>
        <Input value={username} autoComplete="off" onChange={({ detail }) => setUsername(detail.value)} />
      </FormField>
    ),
    formProblem: username.trim() === '' ? t.usernameRequired : undefined,
    prepare: async (host, signal) => {
      const { keys } = await wharf.call(getHostKeys, { address: addressOf(host), sshPort }, { signal })
      const [key] = keys
      if (key === undefined) return { problem: t.noHostKey }
      return { value: key, note: t.hostKey(key.type, key.fingerprint) }
    },
    run: (host, key) => wharf.hosts.add(inputOf(host, key)),
    inputOf,
  }
}
