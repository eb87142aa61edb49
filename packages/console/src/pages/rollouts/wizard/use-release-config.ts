import { getSoftwarePackageConfigSchema, queryRelease } from '@wharf/contract'
import { useApiQuery } from '../../../data/api-query.ts'
import { sentValue, startValue, withoutSecrets } from '../../../features/config-form/config-value.ts'
import { isObject, type JsonObject, type JsonSchema, parseObject } from '../../../features/config-form/json-schema.ts'
import type { RolloutForm } from './rollout-form.ts'
import { templateProblems } from './template-problems.ts'

const nothing: ReadonlyMap<string, never> = new Map<string, never>()

const filled = (value: unknown): JsonObject | undefined =>
  isObject(value) && Object.keys(value).length > 0 ? value : undefined

/** The schema of the chosen release, and the configuration that the form has for it. */
export function useReleaseConfig(form: Pick<RolloutForm, 'releaseUuid' | 'config' | 'configText'>) {
  const { releaseUuid, config, configText } = form
  const releases = useApiQuery(
    queryRelease,
    { q: [`uuid=${releaseUuid}`], fields: ['uuid', 'softwarePackageUuid'] },
    { enabled: releaseUuid !== '' },
  )
  const uuid = releases.data?.inventories?.find((one) => one.uuid === releaseUuid)?.softwarePackageUuid ?? ''
  const declared = useApiQuery(getSoftwarePackageConfigSchema, { uuid }, { enabled: uuid !== '' })
  const isLoaded = uuid !== '' && declared.data !== undefined && !declared.isPlaceholderData
  const found = isLoaded ? declared.data.configSchema : undefined
  const schema: JsonSchema | undefined = isObject(found) ? found : undefined
  const value = schema === undefined ? undefined : (config ?? startValue(schema, schema))
  const sent = schema === undefined ? parseObject(configText) : sentValue(value, schema, schema)
  return {
    isLoaded,
    error: releases.error ?? declared.error,
    schema,
    /** What the fields show. */
    value,
    /** What is sent; undefined when nothing is set. */
    config: filled(sent),
    problems: schema === undefined ? nothing : templateProblems(sent, schema),
    /** Of a copied command. */
    shownConfig: schema === undefined ? undefined : filled(withoutSecrets(sent, schema, schema)),
  }
}
