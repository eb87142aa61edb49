import { queryHost } from '@wharf/contract'
import { unset } from '../../../components/filter-query.ts'
import { knownLabels, labelField } from '../../../components/known-labels.ts'
import type { Column, RecordOf } from '../../../components/ResourceTable.tsx'
import { useApiQuery } from '../../../data/api-query.ts'
import { useMessages } from '../../../i18n/use-messages.ts'
import { LabelLinks } from './LabelLinks.tsx'
import { rowsOf } from './label-form.ts'
import { messages } from './messages.ts'

type Host = RecordOf<typeof queryHost>

/** The labels of the newest hosts are suggested; others can be entered in the URL. */
const newestHosts = { fields: ['uuid', 'labels'], sort: '-createDate', limit: 1000 }

/** A column with all labels, and one for each name, which the filter has too. */
export function useLabelColumns(conditions: readonly string[]): Column<Host>[] {
  const t = useMessages(messages)
  const { data } = useApiQuery(queryHost, newestHosts)
  const known = knownLabels(data?.inventories ?? [], conditions)
  return [
    {
      field: 'labels',
      label: t.labels,
      width: 150,
      isDerived: true,
      lines: 2,
      cell: ({ labels }) => <LabelLinks labels={labels} />,
      text: ({ labels = {} }) =>
        rowsOf(labels)
          .map(({ name, value }) => `${name}=${value}`)
          .join(', '),
    },
    ...[...known].map(
      ([name, values]): Column<Host> => ({
        field: labelField(name) as string & keyof Host,
        label: t.label(name),
        isOptional: true,
        choices: [...values.map((value) => ({ value, label: value })), { value: unset, label: t.notSet }],
        text: ({ labels = {} }) => labels[name] ?? '',
      }),
    ),
  ]
}
