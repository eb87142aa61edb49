import { join } from 'node:path'
import { isCheckout } from '@wharf/platform/installation.ts'
import { version } from '@wharf/platform/version.ts'
import type { App } from '../composition/app.ts'
import { bootstrapPath, readBootstrapFile } from '../composition/bootstrap-file.ts'
import type { Settings } from '../composition/settings.ts'

export const isOpenToOthers = ({ host, tls, httpPort }: Pick<Settings, 'host' | 'tls' | 'httpPort'>): boolean =>
  (!tls || httpPort !== undefined) && !/^(127\.|::1$|localhost$)/.test(host)

/** The text on the terminal when the server is ready: its address, the credentials and the next commands. */
export function banner(settings: Settings, { url, plainUrl }: Pick<App, 'url' | 'plainUrl'>, root: string): string {
  const file = bootstrapPath(settings.data)
  const { accessKeySecret, password } = readBootstrapFile(settings.data) ?? {}
  const hasKey = accessKeySecret !== undefined
  const hasPassword = password !== undefined && settings.localLogin !== 'none'
  const lines = [
    `Wharf ${version} is ready at ${url}`,
    ...(plainUrl === undefined ? [] : [`and without TLS at ${plainUrl}`]),
    hasKey
      ? hasPassword
        ? `Sign in as admin with the password or the access key in ${file}`
        : `The access key of admin is in ${file}`
      : `Address and ids: ${file} (it contains no credentials)`,
    ...(isOpenToOthers(settings)
      ? [
          '',
          'Warning: listening on the network without TLS, so the traffic can be read.',
          'Set WHARF_TLS_CERT and WHARF_TLS_KEY to enable it.',
        ]
      : []),
    '',
    'Try next:',
    `  ${url}/ in a browser: the console`,
    `  ${url}/docs: the API reference, with examples to copy`,
    ...(isCheckout(root)
      ? ['  bin/wharf doctor, in this checkout: the CLI, and a health check', '  README.md, "First five minutes"']
      : [
          `  ${join(root, 'bin/wharf')} doctor: the CLI, and a health check`,
          `  ${join(root, 'docs/operating.md')}: settings, TLS, backups, upgrades`,
        ]),
    '',
    'Ctrl-C stops the server. Running jobs resume at the next start.',
  ]
  return `\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`
}
