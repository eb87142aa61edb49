import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import { addHost } from '@wharf/contract'
import type { ListedHost } from '@wharf/sdk'
import type { BulkAction } from '../../../components/table/bulk/bulk-action.ts'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { useOptionalLabel } from '../../../components/use-optional-label.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { inputOf, newDefaults, problemOf } from './import-form.ts'
import { messages } from './messages.ts'

/** Adds the hosts of a file; its form has what the lines do not name. */
export function useAddListed(): BulkAction<ListedHost> {
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  const wharf = useWharf()
  const draft = useFormDraft('listed hosts', newDefaults, { isStored: false })
  const { form, setForm } = draft
  const problem = problemOf(form)
  return {
    id: 'add',
    label: t.add,
    operation: addHost,
    consequences: t.consequences,
    draft,
    form: (
      <SpaceBetween size="l">
        <FormField label={t.username} description={t.usernameHelp}>
          <Input
            value={form.username}
            autoComplete={false}
            onChange={({ detail }) => setForm({ ...form, username: detail.value })}
          />
        </FormField>
        <FormField
          label={optional(t.privateKey)}
          description={t.privateKeyHelp}
          errorText={problem === 'badKey' ? t.problems.badKey : ''}
          stretch
        >
          <Textarea
            value={form.privateKey}
            rows={3}
            spellcheck={false}
            autoComplete={false}
            onChange={({ detail }) => setForm({ ...form, privateKey: detail.value })}
          />
        </FormField>
      </SpaceBetween>
    ),
    formProblem: problem && t.problems[problem],
    run: (host) => wharf.hosts.add(inputOf(host, form)),
    inputOf: (host) => inputOf(host, form),
  }
}
