import Checkbox from '@cloudscape-design/components/checkbox'
import ExpandableSection from '@cloudscape-design/components/expandable-section'
import FormField from '@cloudscape-design/components/form-field'
import Input from '@cloudscape-design/components/input'
import Multiselect from '@cloudscape-design/components/multiselect'
import Select from '@cloudscape-design/components/select'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Textarea from '@cloudscape-design/components/textarea'
import type { Role } from '@wharf/contract'
import { ScopeInput } from '../../components/ScopeInput.tsx'
import { useOptionalLabel } from '../../components/use-optional-label.ts'
import { useMessages } from '../../i18n/use-messages.ts'
import { type Expiry, expiries, invalidNetworks, type KeyForm, operationChoices, rolesUpTo } from './key-form.ts'
import { messages } from './messages.ts'

interface KeyLimitFieldsProps {
  readonly form: KeyForm
  readonly userRole: Role | undefined
  readonly onChange: (change: Partial<KeyForm>) => void
}

const operationOptions = operationChoices.map((value) => ({ value, label: value }))

/** What the key may do less than its user. */
export function KeyLimitFields({ form, userRole, onChange }: KeyLimitFieldsProps) {
  const t = useMessages(messages)
  const optional = useOptionalLabel()
  const { expiry, expiresDate, role, networks, requiresRfc9421, publicKey } = form
  const expiryOptions = expiries.map((value) => ({ value, label: t.expiries[value] }))
  const roleOptions = [
    { value: '', label: t.ownRole },
    ...rolesUpTo(userRole).map((value) => ({ value: value as string, label: value })),
  ]
  const wrong = invalidNetworks(form)
  return (
    <SpaceBetween size="m">
      <FormField label={t.expires} description={t.expiresHelp}>
        <Select
          options={expiryOptions}
          selectedOption={expiryOptions.find(({ value }) => value === expiry) ?? null}
          onChange={({ detail }) => onChange({ expiry: (detail.selectedOption.value ?? 'never') as Expiry })}
        />
      </FormField>
      {expiry === 'date' ? (
        <FormField label={t.expiresDate} constraintText={t.expiresDateHelp}>
          <Input
            value={expiresDate}
            placeholder="2027-01-31"
            onChange={({ detail }) => onChange({ expiresDate: detail.value })}
          />
        </FormField>
      ) : null}
      <ExpandableSection headerText={t.limits} headerDescription={t.limitsHelp}>
        <SpaceBetween size="m">
          <FormField label={t.role}>
            <Select
              options={roleOptions}
              selectedOption={roleOptions.find(({ value }) => value === role) ?? null}
              onChange={({ detail }) => onChange({ role: detail.selectedOption.value ?? '' })}
            />
          </FormField>
          <ScopeInput value={form.scope} onChange={(scope) => onChange({ scope })} />
          <FormField label={t.operations} description={t.operationsHelp}>
            <Multiselect
              options={operationOptions}
              selectedOptions={operationOptions.filter(({ value }) => form.operations.includes(value))}
              placeholder={t.everyOperation}
              filteringType="auto"
              onChange={({ detail }) =>
                onChange({ operations: detail.selectedOptions.flatMap(({ value }) => value ?? []) })
              }
            />
          </FormField>
          <FormField
            label={t.networks}
            description={t.networksHelp}
            errorText={wrong.length > 0 ? t.invalidNetworks(wrong.join(', ')) : null}
          >
            <Input
              value={networks}
              placeholder="10.0.0.0/8, 192.0.2.7"
              spellcheck={false}
              onChange={({ detail }) => onChange({ networks: detail.value })}
            />
          </FormField>
          <Checkbox
            checked={requiresRfc9421 || publicKey !== ''}
            disabled={publicKey !== ''}
            description={t.requiresRfc9421Hint}
            onChange={({ detail }) => onChange({ requiresRfc9421: detail.checked })}
          >
            {t.requiresRfc9421}
          </Checkbox>
          <FormField label={optional(t.publicKey)} description={t.publicKeyHelp}>
            <Textarea
              value={publicKey}
              rows={3}
              spellcheck={false}
              placeholder="-----BEGIN PUBLIC KEY-----"
              onChange={({ detail }) => onChange({ publicKey: detail.value })}
            />
          </FormField>
        </SpaceBetween>
      </ExpandableSection>
    </SpaceBetween>
  )
}
