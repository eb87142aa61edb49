import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Multiselect from '@cloudscape-design/components/multiselect'
import RadioGroup from '@cloudscape-design/components/radio-group'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type ChatKind, chatKinds, chatLanguages, queryThirdpartyPlatform } from '@wharf/contract'
import { useOptionalLabel } from '../../../components/use-optional-label.ts'
import { useApiQuery } from '../../../data/api-query.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { type EndpointForm, isAddress, supportsSigning } from './endpoint-form.ts'
import { messages } from './messages.ts'
import { SystemEventFields } from './SystemEventFields.tsx'

interface EndpointFieldsProps {
  readonly form: EndpointForm
  readonly onChange: (change: Partial<EndpointForm>) => void
  /** The masked URL of an existing endpoint. */
  readonly shownUrl?: string | undefined
}

const kinds = chatKinds.map((value) => ({ value, label: value }))
const allPlatforms = { fields: ['uuid', 'name'], sort: '+name', limit: 1000 }

export function EndpointFields({ form, onChange, shownUrl }: EndpointFieldsProps) {
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  const isNew = shownUrl === undefined
  const { data, error } = useApiQuery(queryThirdpartyPlatform, allPlatforms)
  const platforms = (data?.inventories ?? []).map(({ uuid = '', name = '' }) => ({ value: uuid, label: name }))
  const { type, name, description, url, language, atAll, platformUuids, isEnabled } = form
  return (
    <SpaceBetween size="l">
      <FormField label={t.type} description={t.urlSource[type]}>
        <Select
          options={kinds}
          selectedOption={kinds.find(({ value }) => value === type) ?? null}
          disabled={!isNew}
          onChange={({ detail }) => onChange({ type: detail.selectedOption.value as ChatKind })}
        />
      </FormField>
      <FormField label={t.name}>
        <Input value={name} autoFocus={isNew} onChange={({ detail }) => onChange({ name: detail.value })} />
      </FormField>
      <FormField
        label={t.url}
        description={t.urlHelp}
        constraintText={isNew ? undefined : t.urlUnchanged(shownUrl)}
        errorText={url !== '' && !isAddress(url) ? t.invalidUrl : null}
      >
        <Input
          value={url}
          autoComplete="off"
          spellcheck={false}
          inputMode="url"
          onChange={({ detail }) => onChange({ url: detail.value })}
        />
      </FormField>
      {supportsSigning(type) ? <SecretField form={form} isNew={isNew} onChange={onChange} /> : null}
      <FormField label={t.language} description={t.languageHelp}>
        <RadioGroup
          value={language}
          items={chatLanguages.map((value) => ({ value, label: t.languages[value] }))}
          onChange={({ detail }) => onChange({ language: detail.value === 'zh' ? 'zh' : 'en' })}
        />
      </FormField>
      <Checkbox
        checked={atAll}
        description={t.atAllHelp}
        onChange={({ detail }) => onChange({ atAll: detail.checked })}
      >
        {t.atAll}
      </Checkbox>
      <FormField label={optional(t.platforms)} description={t.platformsHelp}>
        <Multiselect
          options={platforms}
          selectedOptions={platforms.filter(({ value }) => platformUuids.includes(value))}
          placeholder={t.everyPlatform}
          statusType={error ? 'error' : 'finished'}
          errorText={error?.message ?? ''}
          onChange={({ detail }) =>
            onChange({ platformUuids: detail.selectedOptions.flatMap(({ value }) => value ?? []) })
          }
        />
      </FormField>
      <SystemEventFields form={form} onChange={onChange} />
      <FormField label={optional(t.description)}>
        <Input value={description} onChange={({ detail }) => onChange({ description: detail.value })} />
      </FormField>
      {isNew ? null : (
        <Checkbox
          checked={isEnabled}
          description={t.stateHelp}
          onChange={({ detail }) => onChange({ isEnabled: detail.checked })}
        >
          {t.enabled}
        </Checkbox>
      )}
    </SpaceBetween>
  )
}

function SecretField({ form, isNew, onChange }: Omit<EndpointFieldsProps, 'shownUrl'> & { isNew: boolean }) {
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  const { secret, clearsSecret } = form
  return (
    <SpaceBetween size="xs">
      <FormField
        label={optional(t.secret)}
        description={t.secretHelp}
        constraintText={isNew ? undefined : t.secretUnchanged}
      >
        <Input
          value={secret}
          type="password"
          autoComplete="off"
          disabled={clearsSecret}
          onChange={({ detail }) => onChange({ secret: detail.value })}
        />
      </FormField>
      {isNew ? null : (
        <Checkbox
          checked={clearsSecret}
          onChange={({ detail }) => onChange({ clearsSecret: detail.checked, secret: '' })}
        >
          {t.clearSecret}
        </Checkbox>
      )}
    </SpaceBetween>
  )
}
