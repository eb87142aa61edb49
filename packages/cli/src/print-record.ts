import type { Cli } from './cli.ts'
import { withNames } from './names/reference-names.ts'

interface Details {
  /** The field that -o name prints. */
  readonly nameField?: string
  /** Further fields of the table, such as the reason of a failure. */
  readonly describe?: () => Promise<object> | object | undefined
}

/** Tables show names in place of uuids; other forms contain the fields of the API. */
export async function printRecord(cli: Cli, record: object, { nameField, describe }: Details = {}): Promise<void> {
  if (!cli.out.isTable) return cli.out.record(record, nameField)
  const named = await withNames(await cli.wharf(), { ...record })
  cli.out.record({ ...named, ...(await describe?.()) }, nameField)
}
