import { gzipSync } from 'node:zlib'
import { file, tarOf } from './archives/tar-builder.ts'

export interface InstallableOptions {
  readonly type?: string
  readonly name?: string
  readonly version?: string
  /** Shell text of each hook. */
  readonly hooks?: Partial<Record<'install' | 'verify' | 'uninstall' | 'upgrade', string>>
  readonly timeout?: string
  readonly config?: object
  readonly more?: readonly { name: string; data: Buffer | string }[]
}

/** A package whose hooks are the given shell text, as a tar. */
export function installable(options: InstallableOptions = {}): Buffer {
  const { type = 'demo', name: software = 'demo', version = '1.0.0', timeout, config, more = [] } = options
  const { hooks = { install: 'cat >installed' } } = options
  const programs = Object.entries(hooks).map(([name, text]) => ({
    ...file(`${name}.sh`, `#!/bin/sh\nset -eu\n${text}\n`),
    mode: 0o755,
  }))
  const named = Object.keys(hooks).map((name) => [name, { run: [`./${name}.sh`], ...(timeout ? { timeout } : {}) }])
  const identity = { name: software, version, type }
  const manifest = { ...identity, ...Object.fromEntries(named), ...(config ? { config } : {}) }
  return tarOf(
    file('wharf.json', JSON.stringify(manifest)),
    ...programs,
    ...more.map(({ name, data }) => ({ ...file(name), data })),
  )
}

export const gzipped = (bytes: Buffer): Buffer => gzipSync(bytes)
