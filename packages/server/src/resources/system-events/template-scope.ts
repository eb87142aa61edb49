import { escapeMarkdown, type Language, safeUrl } from '../chat-endpoints/service.ts'
import { type DatedEvent, plainMessage, reasonIn } from './plain-message.ts'

interface ScopeOptions {
  readonly language: Language
  readonly formatTime: (ms: number) => string
  /** The address of the console; undefined when no other machine can reach it. */
  readonly consoleUrl: string | undefined
}

/** The page of the console for each type of record, and its name in texts. */
const types: Readonly<Record<string, { page: string; en: string; zh: string }>> = {
  Rollout: { page: 'rollouts', en: 'Rollout', zh: '批量部署' },
  ApiJob: { page: 'jobs', en: 'Job', zh: '任务' },
  Host: { page: 'hosts', en: 'Host', zh: '主机' },
  BackupStorage: { page: 'backup-storage', en: 'Backup storage', zh: '备份存储' },
  SoftwarePackage: { page: 'packages', en: 'Software package', zh: '软件包' },
  AccessKey: { page: 'access-keys', en: 'Access key', zh: '访问密钥' },
}

const escaped = (text: string | null | undefined): string | null => (text ? escapeMarkdown(text) : null)

/** The variables of a template. Values are escaped, so that they appear literally. */
export function templateScope(event: DatedEvent, { language, formatTime, consoleUrl }: ScopeOptions) {
  const { type, uuid, name } = event.resource
  const { title, severity } = plainMessage(event, language)
  const known = types[type]
  const link = known && consoleUrl !== undefined ? safeUrl(`${consoleUrl}/#/${known.page}/${uuid}`) : undefined
  return {
    event: {
      name: event.event,
      title: escapeMarkdown(title),
      severity,
      reason: escaped(reasonIn(language, event.reason)),
      target: escaped(event.target),
      user: escaped(event.userName),
      time: formatTime(event.at),
      // for the filter `date`
      date: new Date(event.at).toISOString(),
      link: link ?? null,
    },
    resource: { type, uuid, name: escapeMarkdown(name), kind: known?.[language] ?? type },
  }
}
