import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { TestHost } from '@wharf/testkit'
import { buildPackage } from './build-packages.ts'
import type { DemoScreen } from './demo-screen.ts'

const program = fileURLToPath(new URL('../bin/wharf', import.meta.url))
const source = fileURLToPath(new URL('../examples/packages/hello', import.meta.url))
const versions = ['1.0.0', '1.1.0'] as const

/** The name of the rollout that fails. */
export const failingRollout = 'hello-1.1.0'

interface DemoRolloutDeps {
  readonly screen: Pick<DemoScreen, 'print' | 'openFrame'>
  readonly step: DemoScreen['step']
  readonly folder: string
  /** Of the server. */
  readonly data: string
  /** Named host-1, host-2 and so on in Wharf. */
  readonly machines: readonly TestHost[]
  /** Called with each process that runs, so that it can be ended. */
  readonly onStarted: (end: () => void) => void
}

/** The end of the demo: a rollout of a second version fails in its second wave, and every host gets the first back. */
export async function showFailedRollout(deps: DemoRolloutDeps): Promise<void> {
  const { screen, step, folder, machines } = deps
  await step(`two versions of the package hello are published: ${versions.join(' and ')}`, async (report) => {
    for (const version of versions) {
      report(version)
      await wharf(deps, ['release', 'publish', await buildVersion(folder, version)])
    }
  })
  await step('1.0.0 is rolled out to all hosts, in two waves', (report) =>
    wharf(deps, rollout('hello-1.0.0', '1.0.0', configOf(folder, 'ahoy', 'old')), report),
  )
  await step('on host-2, a file is where 1.1.0 needs a folder', async () => {
    await machines[1]?.exec(`touch '${hostFolder(folder, 'host-2')}/new'`)
  })

  const args = rollout(failingRollout, '1.1.0', configOf(folder, 'hello', 'new'), '--on-failure', 'rollBackAll')
  const frame = screen.openFrame(
    `wharf rollout create ${failingRollout} --release hello@1.1.0 --hosts labels.role=web --on-failure rollBackAll …`,
  )
  const code = await wharf(deps, args, frame.line, [1])
  frame.close()
  screen.print(`    exit code ${code}: it has not succeeded`)
  await step('every host has 1.0.0 and its greeting again', async () => {
    for (const [index, machine] of machines.entries()) {
      const name = `host-${index + 1}`
      const greeting = await machine.exec(`cat '${hostFolder(folder, name)}/old/greeting'`)
      if (greeting !== `ahoy from ${name}\n`) throw new Error(`${name} greets with: ${greeting}`)
    }
  })
}

/** Every host has a folder of its own, also when all of them are folders of this machine. */
export const hostFolder = (folder: string, host: string): string => `${folder}/hosts/${host}`

/** A template, which is rendered for each host. */
const configOf = (folder: string, greeting: string, path: string): string =>
  JSON.stringify({
    greeting: `${greeting} from {{ host.name }}`,
    path: `${hostFolder(folder, '{{ host.name }}')}/${path}`,
  })

const rollout = (name: string, version: string, config: string, ...more: string[]): string[] => {
  const waves = ['--waves', '1,100%', '--soak', '0']
  const hosts = ['--hosts', 'labels.role=web']
  return [
    'rollout',
    'create',
    name,
    '--release',
    `hello@${version}`,
    ...hosts,
    ...waves,
    '--config',
    config,
    ...more,
    '--wait',
  ]
}

async function buildVersion(folder: string, version: string): Promise<string> {
  const copy = join(folder, `hello-${version}`)
  cpSync(source, copy, { recursive: true })
  const manifest = join(copy, 'wharf.json')
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"version": "1.0.0"', `"version": "${version}"`))
  return buildPackage(copy, folder)
}

/** Runs the command as a user does; an exit code other than 0 or an expected one throws. */
async function wharf(
  { data, folder, onStarted }: DemoRolloutDeps,
  args: readonly string[],
  onLine: (line: string) => void = () => {},
  expectedCodes: readonly number[] = [],
): Promise<number> {
  const env = { ...process.env, WHARF_DATA: data, HOME: folder, NO_COLOR: '1' }
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onStarted(() => void child.kill())
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  createInterface({ input: child.stdout }).on('line', onLine)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code === null || ![0, ...expectedCodes].includes(code))
    throw new Error(`wharf ${args.slice(0, 3).join(' ')}: ${errors}`)
  return code
}
