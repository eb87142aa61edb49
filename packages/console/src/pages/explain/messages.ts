import { defineMessages } from '../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    title: 'Explain',
    intro: 'Paste an error message, or enter a code such as SYS.1001 or keywords.',
    text: 'Error',
    example: 'ssh: connect to host 10.0.0.7 port 22: Connection refused',
    found: 'Explanation',
  },
  zh: {
    title: '错误解释',
    intro: '粘贴错误内容，或输入错误码（例如 SYS.1001）或关键词。',
    text: '错误',
    example: 'ssh: connect to host 10.0.0.7 port 22: Connection refused',
    found: '说明',
  },
})
