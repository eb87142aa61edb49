import { readFileSync } from 'node:fs'
import type { Cli } from './cli.ts'
import { UsageError } from './errors.ts'

/** `@file` reads a file and `@-` reads stdin, which keeps secrets out of the command line. */
export async function readText(cli: Cli, value: string): Promise<string> {
  if (value === '@-') return cli.io.readInput()
  if (!value.startsWith('@')) return value
  const path = value.slice(1)
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${(error as Error).message}`)
  }
}

/** Like readText, without the line end that editors add. */
export const readSecret = async (cli: Cli, value: string | undefined): Promise<string | undefined> =>
  value === undefined ? undefined : (await readText(cli, value)).replace(/\r?\n$/, '')

/** A private key file; OpenSSH requires the line end. */
export const readPrivateKey = async (path: string | undefined, cli: Cli): Promise<string | undefined> =>
  path === undefined ? undefined : `${await readSecret(cli, `@${path}`)}\n`

export function parseInteger(
  option: string,
  text: string | undefined,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { min?: number; max?: number } = {},
): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= min && value <= max) return value
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `from ${min} to ${max}`
  throw new UsageError(`invalid ${option} ${text}: expected an integer ${range}`)
}

/** The value of --limit: the most that the API returns at once. */
export const parseLimit = (text: string | undefined): number | undefined =>
  parseInteger('--limit', text, { min: 1, max: 10_000 })
