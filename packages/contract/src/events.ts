import { operation } from './operation.ts'

export const getEvents = operation({
  name: 'GetEvents',
  client: null,
  resource: 'events',
  method: 'GET',
  path: '/v1/events',
  summary: 'Stream changes as server-sent events; Last-Event-ID replays up to an hour',
  since: 'wharf-1.0.0',
  permission: 'read',
  mode: 'stream',
  fields: {},
  answer: {},
  errors: ['SYS.1006'],
})
