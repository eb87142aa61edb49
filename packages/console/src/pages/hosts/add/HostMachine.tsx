import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Grid from '@cloudscape-design/components/grid'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tiles from '@cloudscape-design/components/tiles'
import { useOptionalLabel } from '../../../components/use-optional-label.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { HostForm, Problems } from './host-form.ts'
import { messages } from './messages.ts'

export interface HostFormPart {
  readonly form: HostForm
  readonly problems: Problems
  readonly onChange: (change: Partial<HostForm>) => void
}

export function HostMachine({ form, problems, onChange }: HostFormPart) {
  const t = useMessages(messages)
  const text = (field: 'name' | 'address' | 'sshPort' | 'packagesPath' | 'description', placeholder = '') => (
    <Input
      value={form[field]}
      placeholder={placeholder}
      autoComplete="off"
      onChange={({ detail }) => onChange({ [field]: detail.value })}
    />
  )
  const wrong = (field: keyof HostForm): string | undefined => {
    const problem = problems[field]
    return problem && t[problem]
  }
  const optional = useOptionalLabel()
  return (
    <Container header={<Header variant="h2">{t.machine}</Header>}>
      <SpaceBetween size="m">
        <FormField label={t.driver} stretch>
          <Tiles
            value={form.driver}
            onChange={({ detail }) => onChange({ driver: detail.value === 'local' ? 'local' : 'ssh' })}
            items={[
              { value: 'ssh', label: t.ssh, description: t.sshHelp },
              { value: 'local', label: t.local, description: t.localHelp },
            ]}
          />
        </FormField>
        {form.driver === 'ssh' ? (
          <Grid gridDefinition={[{ colspan: { default: 12, xs: 8 } }, { colspan: { default: 12, xs: 4 } }]}>
            <FormField label={t.address} constraintText={t.addressHelp} errorText={wrong('address')} stretch>
              {text('address', '10.0.0.7')}
            </FormField>
            <FormField label={t.port} errorText={wrong('sshPort')} stretch>
              {text('sshPort')}
            </FormField>
          </Grid>
        ) : null}
        <FormField label={t.name} constraintText={t.nameHelp} errorText={wrong('name')}>
          {text('name', 'storage-1')}
        </FormField>
        <FormField
          label={optional(t.packagesPath)}
          constraintText={t.packagesPathHelp}
          errorText={wrong('packagesPath')}
          stretch
        >
          {text('packagesPath', '/srv/packages')}
        </FormField>
        <FormField label={optional(t.description)}>{text('description')}</FormField>
      </SpaceBetween>
    </Container>
  )
}
