import Checkbox from '@cloudscape-design/components/checkbox'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Multiselect from '@cloudscape-design/components/multiselect'
import RadioGroup from '@cloudscape-design/components/radio-group'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import { type ChatKind, chatKinds, chatLanguages, queryThirdpartyPlatform } from '@wharf/contract'
import { useAnswer } from '../../../wharf/answers.ts'
import { useWords } from '../../../words/words.ts'
import { type EndpointForm, isAddress, signs } from './endpoint-form.ts'
import { words } from './words.ts'

interface EndpointFieldsProps {
  readonly form: EndpointForm
  readonly onChange: (change: Partial<EndpointForm>) => void
  /** The address of one that exists, as far as it may be seen. */
  readonly shownUrl?: string | undefined
}

const kinds = chatKinds.map((value) => ({ value, label: value }))
const allPlatforms = { fields: ['uuid', 'name'], sort: '+name', limit: 1000 }

export function EndpointFields({ form, onChange, shownUrl }: EndpointFieldsProps) {
  const say = useWords(words)
  const isNew = shownUrl === undefined
  const { data, error } = useAnswer(queryThirdpartyPlatform, allPlatforms)
  const platforms = (data?.inventories ?? []).map(({ uuid = '', name = '' }) => ({ value: uuid, label: name }))
  const { type, name, description, url, language, atAll, platformUuids, isEnabled } = form
  return (
    <SpaceBetween size="l">
      <FormField label={say.type} description={say.where[type]}>
        <Select
          options={kinds}
          selectedOption={kinds.find(({ value }) => value === type) ?? null}
          disabled={!isNew}
          onChange={({ detail }) => onChange({ type: detail.selectedOption.value as ChatKind })}
        />
      </FormField>
      <FormField label={say.name}>
        <Input value={name} autoFocus={isNew} onChange={({ detail }) => onChange({ name: detail.value })} />
      </FormField>
      <FormField
        label={say.url}
        description={say.urlHint}
        constraintText={isNew ? undefined : say.urlUnchanged(shownUrl)}
        errorText={url !== '' && !isAddress(url) ? say.urlWrong : null}
      >
        <Input
          value={url}
          autoComplete="off"
          spellcheck={false}
          inputMode="url"
          onChange={({ detail }) => onChange({ url: detail.value })}
        />
      </FormField>
      {signs(type) ? <SecretField form={form} isNew={isNew} onChange={onChange} /> : null}
      <FormField label={say.language} description={say.languageHint}>
        <RadioGroup
          value={language}
          items={chatLanguages.map((value) => ({ value, label: say.languages[value] }))}
          onChange={({ detail }) => onChange({ language: detail.value === 'zh' ? 'zh' : 'en' })}
        />
      </FormField>
      <Checkbox
        checked={atAll}
        description={say.atAllHint}
        onChange={({ detail }) => onChange({ atAll: detail.checked })}
      >
        {say.atAll}
      </Checkbox>
      <FormField label={`${say.platforms} – ${say.optional}`} description={say.platformsHint}>
        <Multiselect
          options={platforms}
          selectedOptions={platforms.filter(({ value }) => platformUuids.includes(value))}
          placeholder={say.everyPlatform}
          statusType={error ? 'error' : 'finished'}
          errorText={error?.message ?? ''}
          onChange={({ detail }) =>
            onChange({ platformUuids: detail.selectedOptions.flatMap(({ value }) => value ?? []) })
          }
        />
      </FormField>
      <FormField label={`${say.description} – ${say.optional}`}>
        <Input value={description} onChange={({ detail }) => onChange({ description: detail.value })} />
      </FormField>
      {isNew ? null : (
        <Checkbox
          checked={isEnabled}
          description={say.stateHint}
          onChange={({ detail }) => onChange({ isEnabled: detail.checked })}
        >
          {say.enabled}
        </Checkbox>
      )}
    </SpaceBetween>
  )
}

function SecretField({ form, isNew, onChange }: Omit<EndpointFieldsProps, 'shownUrl'> & { isNew: boolean }) {
  const say = useWords(words)
  const { secret, forgetsSecret } = form
  return (
    <SpaceBetween size="xs">
      <FormField
        label={`${say.secret} – ${say.optional}`}
        description={say.secretHint}
        constraintText={isNew ? undefined : say.secretUnchanged}
      >
        <Input
          value={secret}
          type="password"
          autoComplete="off"
          disabled={forgetsSecret}
          onChange={({ detail }) => onChange({ secret: detail.value })}
        />
      </FormField>
      {isNew ? null : (
        <Checkbox
          checked={forgetsSecret}
          onChange={({ detail }) => onChange({ forgetsSecret: detail.checked, secret: '' })}
        >
          {say.noSecret}
        </Checkbox>
      )}
    </SpaceBetween>
  )
}
