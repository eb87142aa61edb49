import type { SystemEventName } from '@wharf/contract'
import type { SystemEvent } from '../../events/system-event.ts'

const uuid = '0123456789abcdef0123456789abcdef'

const rollout = { type: 'Rollout', uuid, name: 'hello-1.1.0' }
const host = { type: 'Host', uuid, name: 'web-1' }

const examples: Readonly<Record<SystemEventName, Omit<SystemEvent, 'event'>>> = {
  RolloutPaused: { resource: rollout, reason: { en: '2 of 10 hosts failed', zh: '10 台主机中有 2 台失败' } },
  RolloutFailed: { resource: rollout, reason: { en: '2 of 10 hosts failed', zh: '10 台主机中有 2 台失败' } },
  RolloutSucceeded: {
    resource: rollout,
    reason: { en: '10 hosts have hello 1.1.0', zh: '10 台主机已安装 hello 1.1.0' },
  },
  JobFailed: {
    resource: { type: 'ApiJob', uuid, name: 'Install hello 1.1.0 on web-1' },
    target: 'web-1',
    reason: 'SoftwarePackage.1200 install exited with 1: no space left on device',
  },
  HostDisconnected: { resource: host, target: '10.0.0.7', reason: 'HOST.1003 10.0.0.7 did not answer within 10 s' },
  HostConnected: { resource: host, target: '10.0.0.7' },
  StorageAlmostFull: {
    resource: { type: 'BackupStorage', uuid, name: 'store-1' },
    reason: { en: '93% of 2 TiB is used; 143 GiB is free', zh: '2 TiB 中已使用 93%，剩余 143 GiB' },
  },
  PackageUnhealthy: {
    resource: { type: 'SoftwarePackage', uuid, name: 'hello 1.1.0' },
    target: 'web-1',
    reason: 'verify exited with 1: hello is not running',
  },
  AccessKeyExpires: {
    resource: { type: 'AccessKey', uuid, name: 'deploy' },
    target: '2f6b9c0d1e2f6b9c0d1e',
    userName: 'ann',
    reason: { en: 'It expires in 7 days', zh: '将在 7 天后过期' },
  },
}

/** An event that did not happen, for tests of endpoints and checks of templates. */
export const exampleEvent = (event: SystemEventName): SystemEvent => ({ event, ...examples[event] })
