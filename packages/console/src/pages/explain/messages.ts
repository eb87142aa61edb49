import { defineMessages } from '../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    title: 'Explain',
    intro: 'Paste the text of an error, or enter a code such as SYS.1001 or keywords.',
    text: 'Error',
    example: 'ssh: connect to host 10.0.0.7 port 22: Connection refused',
    found: 'What it means and what to do',
  },
  zh: {
    title: '错误解释',
    intro: '粘贴错误内容，或输入错误码（例如 SYS.1001）或关键词。',
    text: '错误',
    example: 'ssh: connect to host 10.0.0.7 port 22: Connection refused',
    found: '含义与处理办法',
  },
})
