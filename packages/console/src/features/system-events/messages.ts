import type { SystemEventName } from '@wharf/contract'
import { defineMessages } from '../../i18n/messages.ts'

interface EventTexts {
  readonly name: string
  readonly means: string
}

const en: Readonly<Record<SystemEventName, EventTexts>> = {
  RolloutPaused: { name: 'Rollout paused', means: 'A rollout waits for an operator or a maintenance window.' },
  RolloutFailed: { name: 'Rollout failed', means: 'A rollout ended because too many hosts failed.' },
  RolloutSucceeded: { name: 'Rollout succeeded', means: 'A rollout reached all of its hosts.' },
  JobFailed: { name: 'Job failed', means: 'A job failed or reached its deadline. Cancelled jobs are not reported.' },
  HostDisconnected: { name: 'Host disconnected', means: 'A host no longer responds.' },
  HostConnected: { name: 'Host connected', means: 'A host responds again.' },
  StorageAlmostFull: { name: 'Storage almost full', means: '90 % of a backup storage is used.' },
  PackageUnhealthy: { name: 'Package unhealthy', means: 'The verification of an installed package fails.' },
  AccessKeyExpires: { name: 'Access key expires', means: 'An access key expires soon.' },
}

const zh: Readonly<Record<SystemEventName, EventTexts>> = {
  RolloutPaused: { name: '批量部署已暂停', means: '批量部署正在等待操作员或维护窗口。' },
  RolloutFailed: { name: '批量部署失败', means: '失败的主机过多，批量部署已结束。' },
  RolloutSucceeded: { name: '批量部署成功', means: '批量部署已覆盖所有主机。' },
  JobFailed: { name: '任务失败', means: '任务失败或超过期限；取消的任务不会通知。' },
  HostDisconnected: { name: '主机断开连接', means: '主机不再响应。' },
  HostConnected: { name: '主机恢复连接', means: '主机重新响应。' },
  StorageAlmostFull: { name: '存储空间即将用尽', means: '备份存储已使用 90%。' },
  PackageUnhealthy: { name: '软件包状态异常', means: '已安装软件包的验证失败。' },
  AccessKeyExpires: { name: '访问密钥即将过期', means: '访问密钥即将过期。' },
}

/** The events of Wharf itself. */
export const messages = defineMessages({
  en: { events: en },
  zh: { events: zh },
})
