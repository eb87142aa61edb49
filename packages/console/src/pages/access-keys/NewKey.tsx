import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Select from '@cloudscape-design/components/select'
import { createAccessKey, queryUser } from '@wharf/contract'
import { useChoices } from '../../components/choices/use-choices.ts'
import { useSearch } from '../../components/choices/use-search.ts'
import { FormModal } from '../../components/FormModal.tsx'
import { type User, useCaller } from '../../components/permission.ts'
import { useFormDraft } from '../../components/use-form-draft.ts'
import { useOptionalLabel } from '../../components/use-optional-label.ts'
import { useWharf } from '../../data/wharf-context.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { KeyLimitFields } from './KeyLimitFields.tsx'
import { emptyKeyForm, isComplete, type KeyForm, limitFields } from './key-form.ts'
import { messages } from './messages.ts'
import type { Secret } from './secret-file.ts'

interface NewKeyProps {
  /** The secret is undefined for a key with a public key. */
  readonly onCreated: (key: { readonly id: string; readonly secret: Secret['secret'] | undefined }) => void
  readonly onDismiss: () => void
}

/** Admins create keys for all users, others for themselves. */
export function NewKey({ onCreated, onDismiss }: NewKeyProps) {
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  const wharf = useWharf()
  const caller = useCaller()
  const draft = useFormDraft<KeyForm>('access key', emptyKeyForm)
  const { form, setForm } = draft
  const mayChoose = caller === undefined || caller.role === 'admin'
  const { text, listOf } = useSearch()
  const users = useChoices(queryUser, { text, chosen: form.userUuid || caller?.uuid })
  const user = users.chosen
  const optionOf = ({ uuid = '', name = '', role }: User) => ({ value: uuid, label: name, labelTag: role ?? '' })
  const { accountUuid = '', uuid: userUuid = '' } = user ?? {}
  const fields = { accountUuid, userUuid, ...limitFields(form, Date.now()) }
  const create = async (): Promise<void> => {
    const { inventory } = await wharf.accessKeys.create(fields)
    onCreated({ id: inventory.AccessKeyID, secret: inventory.AccessKeySecret ?? undefined })
  }
  return (
    <FormModal
      title={t.create}
      action={t.create}
      draft={draft}
      isReady={user !== undefined && isComplete(form)}
      call={{ operation: createAccessKey, input: fields }}
      onSubmit={create}
      onDismiss={onDismiss}
    >
      <Box>{t.createIntro}</Box>
      <FormField label={t.user}>
        <Select
          {...listOf(users)}
          options={users.records.map(optionOf)}
          selectedOption={user ? optionOf(user) : null}
          disabled={!mayChoose}
          onChange={({ detail }) => setForm({ ...form, userUuid: detail.selectedOption.value ?? '' })}
        />
      </FormField>
      <FormField label={optional(t.description)} description={t.purpose}>
        <Input value={form.description} onChange={({ detail }) => setForm({ ...form, description: detail.value })} />
      </FormField>
      <KeyLimitFields
        form={form}
        userRole={user?.role}
        onChange={(change) => setForm((before) => ({ ...before, ...change }))}
      />
    </FormModal>
  )
}
