import { inventory } from './operation.ts'
import { Choice, Description, Name, orNull, Text, Timestamp, Uuid, Verbatim } from './schema.ts'

export const ThirdPartyPlatformInventory = inventory('ThirdPartyPlatformInventory', '3.10', {
  uuid: Uuid(),
  name: Name(),
  type: Name({ description: 'Which alert protocol it speaks' }),
  url: Text(2048, { description: 'Where it sends its alerts' }),
  template: Verbatim(8192, { description: 'The Liquid template that turns an alert into a message' }),
  state: Choice(['Enabled', 'Disabled']),
  description: orNull(Description()),
  lastSyncDate: Timestamp({ description: 'When it last sent something; its creation before that' }),
  lastOpDate: Timestamp(),
  createDate: Timestamp(),
})
