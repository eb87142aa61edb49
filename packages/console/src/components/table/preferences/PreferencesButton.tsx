import CollectionPreferences from '@cloudscape-design/components/collection-preferences'
import { useFormat } from '../../../i18n/use-format.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { messages } from '../messages.ts'
import { pageSizes, parsePreferences, type TablePreferences } from './table-preferences.ts'
import type { ChangePreferences } from './use-table-preferences.ts'

interface PreferencesButtonProps {
  readonly columns: readonly { readonly field: string; readonly label: string }[]
  readonly preferences: TablePreferences
  readonly onChange: ChangePreferences
}

/** Page size, wrapping, density, and which columns are shown in which order. */
export function PreferencesButton({ columns, preferences, onChange }: PreferencesButtonProps) {
  const t = useMessages(messages)
  const format = useFormat()
  const { pageSize, wrapLines, contentDensity, contentDisplay } = preferences
  return (
    <CollectionPreferences
      title={t.preferences}
      confirmLabel={t.confirm}
      cancelLabel={t.cancel}
      preferences={{ pageSize, wrapLines, contentDensity, contentDisplay }}
      onConfirm={({ detail }) => {
        const { widths } = preferences
        onChange(parsePreferences({ ...detail, widths }, columns))
      }}
      pageSizePreference={{
        title: t.pageSize,
        options: pageSizes.map((value) => ({ value, label: t.records(format.number(value)) })),
      }}
      wrapLinesPreference={{ label: t.wrapLines, description: t.wrapLinesHelp }}
      contentDensityPreference={{ label: t.compact, description: t.compactHelp }}
      contentDisplayPreference={{
        title: t.columns,
        description: t.columnsHelp,
        options: columns.map(({ field, label }, index) => ({ id: field, label, alwaysVisible: index === 0 })),
      }}
    />
  )
}
