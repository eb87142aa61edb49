import type { SystemEventName } from '@wharf/contract'
import { defineMessages } from '../../i18n/messages.ts'

interface EventTexts {
  readonly name: string
  readonly description: string
}

const en: Readonly<Record<SystemEventName, EventTexts>> = {
  RolloutPaused: { name: 'Rollout paused', description: 'A rollout waits for an operator or a maintenance window.' },
  RolloutFailed: { name: 'Rollout failed', description: 'A rollout ended because too many hosts failed.' },
  RolloutSucceeded: { name: 'Rollout succeeded', description: 'A rollout reached all of its hosts.' },
  JobFailed: {
    name: 'Job failed',
    description: 'A job failed or reached its deadline. Cancelled jobs are not reported.',
  },
  HostDisconnected: { name: 'Host disconnected', description: 'A host no longer responds.' },
  HostConnected: { name: 'Host connected', description: 'A host responds again.' },
  StorageAlmostFull: { name: 'Storage almost full', description: '90% of a backup storage is used.' },
  PackageUnhealthy: { name: 'Package unhealthy', description: 'The verification of an installed package fails.' },
  AccessKeyExpires: { name: 'Access key expires', description: 'An access key expires soon.' },
}

const zh: Readonly<Record<SystemEventName, EventTexts>> = {
  RolloutPaused: { name: '批量部署已暂停', description: '批量部署正在等待操作员或维护窗口。' },
  RolloutFailed: { name: '批量部署失败', description: '失败的主机过多，批量部署已结束。' },
  RolloutSucceeded: { name: '批量部署成功', description: '批量部署已覆盖所有主机。' },
  JobFailed: { name: '任务失败', description: '任务失败或超过期限；取消的任务不会通知。' },
  HostDisconnected: { name: '主机断开连接', description: '主机不再响应。' },
  HostConnected: { name: '主机恢复连接', description: '主机重新响应。' },
  StorageAlmostFull: { name: '存储空间即将用尽', description: '备份存储已使用 90%。' },
  PackageUnhealthy: { name: '软件包状态异常', description: '已安装软件包的验证失败。' },
  AccessKeyExpires: { name: '访问密钥即将过期', description: '访问密钥即将过期。' },
}

/** The events of Wharf itself. */
export const messages = defineMessages({
  en: { events: en },
  zh: { events: zh },
})
