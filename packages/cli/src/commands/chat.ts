import type { GroupSpec } from '../command.ts'
import { endpoint } from './chat/endpoint.ts'
import { mention } from './chat/mention.ts'

export const chat: GroupSpec = {
  name: 'chat',
  summary: 'Manage chat endpoints that receive alerts, and mentions',
  commands: [endpoint, mention],
}
