import type { Cli } from '../../cli.ts'
import { readText } from '../../option-values.ts'
import { parseJson } from '../../parse-json.ts'

/** The text of --config, which must be JSON. */
export async function readConfig(cli: Cli, value: string | undefined): Promise<string | undefined> {
  if (value === undefined) return undefined
  const text = await readText(cli, value)
  parseJson(value.startsWith('@') ? `--config ${value}` : '--config', text)
  return text
}
