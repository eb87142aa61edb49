import type { AlertSeverity, SystemEventName } from '@wharf/contract'
import type { EventText, SystemEvent } from '../../events/system-event.ts'
import { type ChatMessage, escapeMarkdown, type Language } from '../chat-endpoints/service.ts'

/** An event with its time, as it is stored until its message is rendered. */
export type DatedEvent = SystemEvent & { readonly at: number }

type Title = (name: string) => string

const titles: Readonly<Record<Language, Readonly<Record<SystemEventName, Title>>>> = {
  en: {
    RolloutPaused: (name) => `Rollout ${name} is paused`,
    RolloutFailed: (name) => `Rollout ${name} failed`,
    RolloutSucceeded: (name) => `Rollout ${name} succeeded`,
    JobFailed: (name) => `Job failed: ${name}`,
    HostDisconnected: (name) => `Host ${name} is disconnected`,
    HostConnected: (name) => `Host ${name} is connected again`,
    StorageAlmostFull: (name) => `Backup storage ${name} is almost full`,
    PackageUnhealthy: (name) => `Software package ${name} is unhealthy`,
    AccessKeyExpires: (name) => `Access key ${name} expires soon`,
  },
  zh: {
    RolloutPaused: (name) => `批量部署 ${name} 已暂停`,
    RolloutFailed: (name) => `批量部署 ${name} 失败`,
    RolloutSucceeded: (name) => `批量部署 ${name} 成功`,
    JobFailed: (name) => `任务失败：${name}`,
    HostDisconnected: (name) => `主机 ${name} 已断开连接`,
    HostConnected: (name) => `主机 ${name} 已恢复连接`,
    StorageAlmostFull: (name) => `备份存储 ${name} 空间即将用尽`,
    PackageUnhealthy: (name) => `软件包 ${name} 状态异常`,
    AccessKeyExpires: (name) => `访问密钥 ${name} 即将过期`,
  },
}

const severities: Readonly<Record<SystemEventName, AlertSeverity>> = {
  RolloutPaused: 'warning',
  RolloutFailed: 'critical',
  RolloutSucceeded: 'info',
  JobFailed: 'warning',
  HostDisconnected: 'critical',
  HostConnected: 'resolved',
  StorageAlmostFull: 'warning',
  PackageUnhealthy: 'critical',
  AccessKeyExpires: 'warning',
}

/** The column of the title. */
const maxTitleLength = 255
/** Errors of programs may be long; the record of the event has all of it. */
const maxReasonLength = 4000

const stored = (text: string, maxLength: number): string => {
  const clean = text.replaceAll('\0', '').toWellFormed().trim()
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1).toWellFormed()}…` : clean
}

export const reasonIn = (language: Language, reason: EventText | null | undefined): string | null => {
  if (reason === null || reason === undefined) return null
  return stored(typeof reason === 'string' ? reason : reason[language], maxReasonLength) || null
}

/** The message without a template: what is sent when a template fails, and what an older node sends. */
export function plainMessage(event: SystemEvent, language: Language): ChatMessage {
  const { event: name, resource, target, userName } = event
  const title = stored(titles[language][name](resource.name).replaceAll(/\p{Cc}+/gu, ' '), maxTitleLength)
  const lines = [reasonIn(language, event.reason) ?? title, target, userName].filter((line) => Boolean(line))
  return { title, text: lines.map((line) => escapeMarkdown(String(line))).join('\n'), severity: severities[name] }
}

/** With the lengths that can be stored. */
export const datedEvent = (event: SystemEvent, at: number): DatedEvent => ({
  ...event,
  at,
  resource: { ...event.resource, name: stored(event.resource.name, maxTitleLength) },
  reason: typeof event.reason === 'string' ? stored(event.reason, maxReasonLength) : event.reason,
})
