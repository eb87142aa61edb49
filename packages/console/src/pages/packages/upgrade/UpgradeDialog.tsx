import Box from '@cloudscape-design/components/box'
import FormField from '@cloudscape-design/components/form-field'
import RadioGroup from '@cloudscape-design/components/radio-group'
import {
  getSoftwarePackageConfig,
  getSoftwarePackageConfigSchema,
  queryRelease,
  upgradeSoftwarePackage,
} from '@wharf/contract'
import { WharfError } from '@wharf/sdk'
import { useState } from 'react'
import { useInvalidFocus } from '../../../browser/use-invalid-focus.ts'
import { ErrorAlert } from '../../../components/ErrorAlert.tsx'
import { FormModalLayout } from '../../../components/FormModalLayout.tsx'
import { useRefusal } from '../../../components/permission.ts'
import { useFormDraft } from '../../../components/use-form-draft.ts'
import { useApiQuery } from '../../../data/api-query.ts'
import { useWharf } from '../../../data/wharf-context.tsx'
import { problemsOf, serverProblems } from '../../../features/config-form/config-problems.ts'
import { isObject } from '../../../features/config-form/json-schema.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import type { PackageRecord } from '../package-record.ts'
import { messages } from './messages.ts'
import { ReleaseSelect } from './ReleaseSelect.tsx'
import { UpgradeConfig } from './UpgradeConfig.tsx'
import { initialText, isReadable, newUpgrade, sentConfig, shownConfig, type UpgradeForm } from './upgrade-form.ts'

const nothing: ReadonlyMap<string, never> = new Map<string, never>()

/** Chooses the release, and keeps the configuration or changes it. Closes when the job starts. */
export function UpgradeDialog({ record, onDismiss }: { record: PackageRecord; onDismiss: () => void }) {
  const t = useMessages(messages)
  const wharf = useWharf()
  const invalid = useInvalidFocus()
  // a configuration may contain secrets anywhere
  const draft = useFormDraft<UpgradeForm>(`upgrade ${record.uuid}`, newUpgrade, { isStored: false })
  const { form, setForm } = draft
  const [showProblems, setShowProblems] = useState(false)
  const [serverErrors, setServerErrors] = useState<ReadonlyMap<string, string>>(nothing)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const isChanged = form.config === 'changed'
  const { kept, keptError, schema, schemaError, isLoading } = useConfigurations(record, form)
  const config = sentConfig(form, schema, kept)
  const problems = schema && config ? problemsOf(config, schema) : nothing
  const isComplete =
    form.releaseUuid !== '' &&
    !(isChanged && isLoading) &&
    problems.size === 0 &&
    (!isChanged || schema !== undefined || isReadable(form.text ?? initialText(kept)))
  const submit = async (): Promise<void> => {
    setShowProblems(true)
    if (!isComplete) return invalid.focus()
    setBusy(true)
    setFailure(undefined)
    try {
      await wharf.start(upgradeSoftwarePackage, { uuid: record.uuid, releaseUuid: form.releaseUuid, config })
      draft.discard()
      onDismiss()
    } catch (error) {
      setFailure(error)
      setBusy(false)
      setServerErrors(isChanged && error instanceof WharfError ? serverProblems(error.details) : nothing)
      invalid.focus()
    }
  }
  const { releaseUuid } = form
  return (
    <FormModalLayout
      title={t.title(record.name)}
      size="medium"
      action={t.upgrade}
      isBusy={isBusy}
      draft={draft}
      failure={failure}
      form={invalid.form}
      call={{
        operation: upgradeSoftwarePackage,
        input: { uuid: record.uuid, releaseUuid, config: shownConfig(config, schema) },
      }}
      onSubmit={submit}
      onDismiss={onDismiss}
    >
      <Box>{t.intro}</Box>
      <ReleaseSelect
        record={record}
        value={releaseUuid}
        showProblem={showProblems}
        onChange={(release) => setForm({ ...newUpgrade, releaseUuid: release?.uuid ?? '', config: form.config })}
      />
      <FormField label={t.config} stretch>
        <RadioGroup
          value={form.config}
          onChange={({ detail }) => setForm({ ...form, config: detail.value === 'changed' ? 'changed' : 'kept' })}
          items={[
            { value: 'kept', label: t.keep, description: t.keepHelp },
            { value: 'changed', label: t.change, description: t.changeHelp },
          ]}
        />
      </FormField>
      {schemaError ? <ErrorAlert error={schemaError} /> : null}
      {isChanged && keptError ? <ErrorAlert error={keptError} /> : null}
      {isChanged && releaseUuid !== '' && !isLoading ? (
        <UpgradeConfig
          form={form}
          schema={schema}
          kept={kept}
          problems={showProblems ? problems : nothing}
          serverErrors={serverErrors}
          onChange={(change) => {
            setServerErrors(nothing)
            setForm({ ...form, ...change })
          }}
        />
      ) : null}
    </FormModalLayout>
  )
}

/** The schema of the chosen release, and the configuration of the installed version for those who may read it. */
function useConfigurations({ uuid }: PackageRecord, { releaseUuid, config }: UpgradeForm) {
  const isChanged = config === 'changed'
  const mayRead = useRefusal()(getSoftwarePackageConfig) === undefined
  const releases = useApiQuery(queryRelease, { q: [`uuid=${releaseUuid}`] }, { enabled: releaseUuid !== '' })
  const chosen = releases.data?.inventories?.find((release) => release.uuid === releaseUuid)?.softwarePackageUuid ?? ''
  const schemas = useApiQuery(getSoftwarePackageConfigSchema, { uuid: chosen }, { enabled: chosen !== '' })
  const kept = useApiQuery(getSoftwarePackageConfig, { uuid }, { enabled: isChanged && mayRead })
  const declared = schemas.data?.configSchema
  return {
    kept: kept.data?.config,
    keptError: kept.error,
    schema: isObject(declared) ? declared : undefined,
    schemaError: releases.error ?? schemas.error,
    isLoading: schemas.isPending || schemas.isPlaceholderData || (isChanged && mayRead && kept.isPending),
  }
}
