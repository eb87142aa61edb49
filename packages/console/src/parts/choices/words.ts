import { inBoth } from '../../words/words.ts'

export const words = inBoth({
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
