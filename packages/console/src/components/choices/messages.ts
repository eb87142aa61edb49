import { defineMessages } from '../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    search: 'Search',
    looking: 'Looking…',
    typeToFind: 'There are more: type a part of the name.',
  },
  zh: {
    search: '搜索',
    looking: '查找中…',
    typeToFind: '还有更多：请输入名称的一部分。',
  },
})
