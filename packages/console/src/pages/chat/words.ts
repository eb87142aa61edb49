import { inBoth } from '../../words/words.ts'

export const words = inBoth({
  en: { title: 'Chat', endpoints: 'Endpoints', deliveries: 'Delivery history' },
  zh: { title: '聊天', endpoints: '端点', deliveries: '发送历史' },
})
