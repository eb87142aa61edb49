import { spawnSync } from 'node:child_process'
import { startLoopbackHosts } from './loopback-hosts.ts'
import { startNamespaceHosts } from './namespace-hosts.ts'
import type { TestHost, TestHostOptions } from './test-host.ts'

const mayMakeNamespaces =
  process.getuid?.() === 0 && spawnSync('unshare', ['--net', '--mount', '--pid', '--fork', 'true']).status === 0

/** For `{ skip: hostsNeedRoot }`: tests that need a host with its own network and root folder. */
export const hostsNeedRoot: false | string = mayMakeNamespaces
  ? false
  : 'needs root, to create hosts with their own networks'

/** Real hosts with their own sshd, removed after the test and also when this process is killed. */
export const startHosts = (
  t: { after(work: () => Promise<void>): void },
  count: number,
  options: TestHostOptions = {},
): Promise<TestHost[]> => (mayMakeNamespaces ? startNamespaceHosts : startLoopbackHosts)(t, count, options)
