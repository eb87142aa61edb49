import { defineMessages } from '../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    title: 'Preview',
    intro: (type: string) =>
      `Approximately as shown in ${type}. Text added by Wharf is in the language of the endpoint.`,
    critical: 'Critical',
    warning: 'Warning',
    resolved: 'Resolved',
    test: 'Test',
    example: 'Example',
    platform: 'Template',
    noPlatform: 'No alert platform yet; only the test message can be shown.',
    preview: (type: string) => `Message in ${type}`,
    robot: 'robot',
    notNotified: (names: string, type: string) =>
      `Shown, but not notified: ${names}. These are not valid user IDs in ${type}.`,
    everyoneInTeams:
      'A Teams webhook cannot mention everyone: the text contains “everyone”, and the registered people are notified.',
  },
  zh: {
    title: '预览',
    intro: (type: string) => `大致为 ${type} 中的显示效果。正文以外的文字使用端点的语言。`,
    critical: '严重',
    warning: '警告',
    resolved: '已恢复',
    test: '测试',
    example: '示例',
    platform: '模板',
    noPlatform: '还没有告警平台，因此只能显示测试消息。',
    preview: (type: string) => `${type} 中的消息`,
    robot: '机器人',
    notNotified: (names: string, type: string) => `只显示名字而不会提醒：${names}。${type} 中没有使用此 ID 的人。`,
    everyoneInTeams: 'Teams 的 webhook 无法提醒所有人：消息中会显示这个词，并提醒已登记的人员。',
  },
})
