import type { Cli } from './cli.ts'
import { withNames } from './names/reference-names.ts'

/** Tables show names in place of uuids; other forms contain the fields of the API. */
export async function printRecord(cli: Cli, record: object): Promise<void> {
  const shown = cli.out.isTable ? await withNames(await cli.wharf(), { ...record }) : record
  cli.out.record(shown)
}
