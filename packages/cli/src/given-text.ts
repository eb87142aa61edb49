import { readFileSync } from 'node:fs'
import type { Cli } from './cli.ts'
import { UsageError } from './refusals.ts'

/** `@file` is what stands in the file and `@-` is standard input, so that secrets need not stand in a command. */
export async function givenText(cli: Cli, value: string): Promise<string> {
  if (value === '@-') return cli.io.readInput()
  if (!value.startsWith('@')) return value
  try {
    return readFileSync(value.slice(1), 'utf8')
  } catch (error) {
    throw new UsageError(`${value.slice(1)} cannot be read: ${(error as Error).message}`)
  }
}

/** The same, without the line end that editors leave. */
export const givenSecret = async (cli: Cli, value: string | undefined): Promise<string | undefined> =>
  value === undefined ? undefined : (await givenText(cli, value)).replace(/\r?\n$/, '')

/** For fields that are numbers. */
export function givenNumber(flag: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(Number(value)))
    throw new UsageError(`${flag} takes a whole number, not ${value}`)
  return Number(value)
}
