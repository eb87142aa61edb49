import { defineMessages } from '../../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    title: 'Alerts over time',
    received: 'Received alerts',
    period: 'Period',
    periods: { day: '24 hours', week: '7 days', month: '30 days' },
    severities: { critical: 'Critical', warning: 'Warning', info: 'Info', resolved: 'Resolved' },
  },
  zh: {
    title: '告警趋势',
    received: '收到的告警',
    period: '时间范围',
    periods: { day: '24 小时', week: '7 天', month: '30 天' },
    severities: { critical: '严重', warning: '警告', info: '通知', resolved: '已恢复' },
  },
})
