import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import SpaceBetween from '@cloudscape-design/components/space-between'
import Spinner from '@cloudscape-design/components/spinner'
import Textarea from '@cloudscape-design/components/textarea'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { ObjectFields } from '../../../features/config-form/ObjectFields.tsx'
import { SchemaField } from '../../../features/config-form/SchemaField.tsx'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from './messages.ts'
import type { StepProps } from './step-props.ts'
import type { useReleaseConfig } from './use-release-config.ts'

const nothing: ReadonlyMap<string, never> = new Map<string, never>()

interface ConfigFieldsProps extends StepProps {
  readonly release: ReturnType<typeof useReleaseConfig>
}

/** The configuration by the schema of the release, or as JSON without one. Its texts may be templates. */
export function ConfigFields({ form, problems, showProblems, onChange, release }: ConfigFieldsProps) {
  const t = useMessages(messages)
  const { schema, value, error, isLoaded } = release
  if (error) return <ErrorAlert error={error} />
  if (!isLoaded) return <Spinner />
  return (
    <SpaceBetween size="m">
      <Box color="text-body-secondary">
        {t.templates} <code>{'{{ host.name }}'}</code>, <code>{'{{ host.address }}'}</code>,{' '}
        <code>{'{{ host.labels.zone }}'}</code>
      </Box>
      {schema ? (
        <ObjectFields
          Field={SchemaField}
          schema={schema}
          path=""
          value={value}
          form={{ root: schema, problems: showProblems ? release.problems : nothing, serverErrors: nothing }}
          onChange={(config) => onChange({ config })}
        />
      ) : (
        <FormField
          label={t.configJson}
          description={t.configHelp}
          errorText={problems.configText ? t.problems[problems.configText] : ''}
          stretch
        >
          <Textarea
            value={form.configText}
            rows={5}
            spellcheck={false}
            placeholder="{}"
            onChange={({ detail }) => onChange({ configText: detail.value })}
          />
        </FormField>
      )}
    </SpaceBetween>
  )
}
