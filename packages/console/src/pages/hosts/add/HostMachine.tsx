import Container from '@cloudscape-design/components/container'
import FormField from '@cloudscape-design/components/form-field'
import Grid from '@cloudscape-design/components/grid'
import Header from '@cloudscape-design/components/header'
import Input from '@cloudscape-design/components/input'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Tiles from '@cloudscape-design/components/tiles'
import { useWords } from '../../../words/words.ts'
import type { HostForm, Problems } from './host-form.ts'
import { words } from './words.ts'

export interface HostFormPart {
  readonly form: HostForm
  readonly problems: Problems
  readonly onChange: (change: Partial<HostForm>) => void
}

export function HostMachine({ form, problems, onChange }: HostFormPart) {
  const say = useWords(words)
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
    return problem && say[problem]
  }
  const optional = (label: string) => (
    <>
      {label} <i>– {say.optional}</i>
    </>
  )
  return (
    <Container header={<Header variant="h2">{say.machine}</Header>}>
      <SpaceBetween size="m">
        <FormField label={say.driver} stretch>
          <Tiles
            value={form.driver}
            onChange={({ detail }) => onChange({ driver: detail.value === 'local' ? 'local' : 'ssh' })}
            items={[
              { value: 'ssh', label: say.ssh, description: say.sshMeans },
              { value: 'local', label: say.local, description: say.localMeans },
            ]}
          />
        </FormField>
        {form.driver === 'ssh' ? (
          <Grid gridDefinition={[{ colspan: { default: 12, xs: 8 } }, { colspan: { default: 12, xs: 4 } }]}>
            <FormField label={say.address} constraintText={say.addressMeans} errorText={wrong('address')} stretch>
              {text('address', '10.0.0.7')}
            </FormField>
            <FormField label={say.port} errorText={wrong('sshPort')} stretch>
              {text('sshPort')}
            </FormField>
          </Grid>
        ) : null}
        <FormField label={say.name} constraintText={say.nameMeans} errorText={wrong('name')}>
          {text('name', 'storage-1')}
        </FormField>
        <FormField
          label={optional(say.packagesPath)}
          constraintText={say.packagesPathMeans}
          errorText={wrong('packagesPath')}
          stretch
        >
          {text('packagesPath', '/srv/packages')}
        </FormField>
        <FormField label={optional(say.description)}>{text('description')}</FormField>
      </SpaceBetween>
    </Container>
  )
}
