import { defineMessages } from '../../i18n/messages.ts'

export const messages = defineMessages({
  en: { title: 'Chat', endpoints: 'Endpoints', deliveries: 'Delivery history' },
  zh: { title: '聊天', endpoints: '端点', deliveries: '发送历史' },
})
