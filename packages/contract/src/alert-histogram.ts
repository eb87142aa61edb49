import { inventory, operation } from './operation.ts'
import { queryFields } from './query.ts'
import { Integer, List, Long, optional, Timestamp } from './schema.ts'
import { periodFields } from './shared-fields.ts'

const since = 'wharf-1.1.0'

export const maxHistogramBuckets = 300

export const AlertHistogramBucket = inventory({
  name: 'AlertHistogramBucket',
  since,
  events: ['ThirdPartyAlert'],
  fields: {
    start: Timestamp({ description: 'The start of the interval' }),
    critical: Long({ description: 'Firing alerts with a severity such as critical, error or page' }),
    warning: Long({ description: 'Firing alerts with another severity, or without one' }),
    info: Long({ description: 'Firing alerts with a severity such as info, low or none' }),
    resolved: Long({ description: 'Resolved alerts' }),
  },
})

export const getThirdpartyAlertHistogram = operation({
  name: 'GetThirdpartyAlertHistogram',
  client: 'alerts.getHistogram',
  resource: 'alerts',
  method: 'GET',
  path: '/v1/zwatch/third-party/alerts/histogram',
  summary: 'Count the received alerts by time and severity',
  since,
  permission: 'read',
  fields: {
    q: queryFields.q,
    ...periodFields('one day'),
    buckets: optional(
      Integer(1, maxHistogramBuckets, { description: 'The number of intervals of equal length; defaults to 48' }),
    ),
  },
  answer: {
    from: Timestamp({ description: 'The start of the period' }),
    to: Timestamp({ description: 'The end of the period' }),
    intervalSeconds: Long({ description: 'The length of an interval' }),
    buckets: List(AlertHistogramBucket.schema, {
      maxItems: maxHistogramBuckets,
      description: 'All intervals of the period, oldest first',
    }),
  },
  errors: ['SYS.1001'],
})
