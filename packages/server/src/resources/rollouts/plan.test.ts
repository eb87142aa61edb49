import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareVersions } from '@wharf/contract'
import type { SelectedHost } from '../hosts/service.ts'
import { type HostPackage, planTargets } from './plan.ts'

const host = (name: string, change: Partial<SelectedHost> = {}): SelectedHost => ({
  uuid: name,
  name,
  driver: 'ssh',
  address: '10.0.0.1',
  hostName: name,
  architecture: 'x86_64',
  managementNodeUuid: null,
  state: 'Enabled',
  status: 'Connected',
  errorDetails: null,
  availableCapacity: 1000,
  labels: {},
  ...change,
})

const installed = (hostUuid: string, version: string, change: Partial<HostPackage> = {}): HostPackage => ({
  uuid: `${hostUuid}-${version}`,
  hostUuid,
  version,
  isCurrent: true,
  hasRelease: version === '2.0.0',
  hasConfig: () => true,
  ...change,
})

const plan = (
  hosts: SelectedHost[],
  packages: HostPackage[] = [],
  more: Partial<Parameters<typeof planTargets>[0]> = {},
) =>
  planTargets({
    hosts,
    release: { version: '2.0.0', size: 100 },
    packages,
    open: [],
    waves: ['1', '100%'],
    spreadBy: null,
    configs: undefined,
    compareVersions,
    ...more,
  }).targets.map(({ host: { name }, wave, action, fromVersion, bytes, obstacle }) => ({
    name,
    wave,
    action,
    fromVersion,
    bytes,
    obstacle,
  }))

const free = { obstacle: null, bytes: 100 }

test('the action follows from what is installed, and an archive on the host is not sent', () => {
  const uploaded = { isCurrent: false, hasRelease: true }
  const packages = [
    installed('b', '1.0.0'),
    installed('c', '10.0.0'),
    installed('d', '2.0.0'),
    installed('e', '2.0.0', uploaded),
    installed('f', '2.0.0', { hasConfig: () => false }),
    installed('g', 'nightly'),
  ]
  assert.deepEqual(
    plan(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => host(name)),
      packages,
    ),
    [
      { name: 'a', wave: 1, action: 'Install', fromVersion: null, ...free },
      { name: 'b', wave: 2, action: 'Upgrade', fromVersion: '1.0.0', ...free },
      { name: 'c', wave: 2, action: 'Downgrade', fromVersion: '10.0.0', ...free },
      { name: 'd', wave: 2, action: 'None', fromVersion: '2.0.0', obstacle: null, bytes: 0 },
      { name: 'e', wave: 2, action: 'Install', fromVersion: null, obstacle: null, bytes: 0 },
      { name: 'f', wave: 2, action: 'Upgrade', fromVersion: '2.0.0', ...free },
      { name: 'g', wave: 2, action: 'Upgrade', fromVersion: 'nightly', ...free },
    ],
  )
})

test('an obstacle names what blocks the host', () => {
  const hosts = [
    host('a', { state: 'Disabled' }),
    host('b', { status: 'Disconnected', errorDetails: 'no route' }),
    host('c', { availableCapacity: 99 }),
    host('d'),
    host('e'),
  ]
  const open = [{ hostUuid: 'd', hostName: 'd', rolloutUuid: 'r1', rolloutName: 'first' }]
  const configs = new Map([['e', { problem: 'config.port must be a whole number' }]])
  assert.deepEqual(
    plan(hosts, [], { open, configs }).map(({ obstacle }) => obstacle),
    [
      'host a is Disabled',
      'host b (10.0.0.1) is Disconnected: no route',
      'not enough free space: 100 bytes are sent, and 99 are free',
      'rollout first of the same software is unfinished on this host',
      'config.port must be a whole number',
    ],
  )
})
