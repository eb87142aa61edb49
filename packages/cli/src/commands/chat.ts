import type { GroupSpec } from '../command.ts'
import { endpoint } from './chat/endpoint.ts'
import { mention } from './chat/mention.ts'

export const chat: GroupSpec = {
  name: 'chat',
  summary: 'Chats that are told of alerts, and who is mentioned there',
  commands: [endpoint, mention],
}
