interface ServerTexts {
  readonly severities: Readonly<Record<'critical' | 'warning' | 'info' | 'resolved', string>>
  readonly everyone: string
  readonly test: string
}

/** The texts that the server adds to messages, in the language of the endpoint. */
export const serverTexts: Readonly<Record<'en' | 'zh', ServerTexts>> = {
  en: {
    severities: { critical: 'Critical', warning: 'Warning', info: 'Info', resolved: 'Resolved' },
    everyone: '@everyone',
    test: 'This is a test. Alerts will arrive here.',
  },
  zh: {
    severities: { critical: '严重', warning: '警告', info: '通知', resolved: '已恢复' },
    everyone: '@所有人',
    test: '这是一条测试消息，告警将发送到这里。',
  },
}
