import { defineMessages } from '../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    none: '–',
    time: 'Time',
    showValues: 'Show values as a table',
  },
  zh: {
    none: '–',
    time: '时间',
    showValues: '以表格显示数值',
  },
})
