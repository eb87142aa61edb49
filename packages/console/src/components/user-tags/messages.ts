import { defineMessages } from '../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    tags: 'Tags',
    noTags: 'None',
    filterBy: (tag: string) => `Show all with the tag ${tag}`,
    remove: (tag: string) => `Remove the tag ${tag}`,
    newTag: 'New tag',
    enterTag: 'Enter a tag.',
    attach: 'Attach',
  },
  zh: {
    tags: '标签',
    noTags: '无',
    filterBy: (tag: string) => `查看带有标签 ${tag} 的全部记录`,
    remove: (tag: string) => `移除标签 ${tag}`,
    newTag: '新标签',
    enterTag: '请输入标签。',
    attach: '添加标签',
  },
})
