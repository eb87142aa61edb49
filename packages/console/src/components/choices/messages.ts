import { defineMessages } from '../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    search: 'Search',
    loading: 'Loading…',
    typeToFind: 'More results exist. Type part of the name.',
  },
  zh: {
    search: '搜索',
    loading: '加载中…',
    typeToFind: '还有更多：请输入名称的一部分。',
  },
})
