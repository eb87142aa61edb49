import { type SystemEventName, testChatAppEndpoint } from '@wharf/contract'
import { ApiError } from '@wharf/platform/api-error.ts'
import type { Cidr } from '@wharf/platform/cidr.ts'
import type { Clock } from '@wharf/platform/clock.ts'
import type { JobOperation } from '../../calls/job-operation.ts'
import { type JobContext, step } from '../../jobs/definition.ts'
import type { DeliveryLimits } from './delivery-limits.ts'
import type { DeliveryService } from './delivery-service.ts'
import type { EventRenderer } from './event-renderer.ts'
import type { ChatMessage, Language } from './platforms/chat-platform.ts'
import { chatPlatforms } from './platforms/platforms.ts'
import { send } from './send-request.ts'
import type { ChatEndpointService } from './service.ts'
import type { EndpointRow } from './store.ts'

interface Input {
  readonly endpointUuid: string
  readonly ownEvent?: SystemEventName | undefined
}

interface TestEndpointDeps {
  readonly endpoints: ChatEndpointService
  readonly deliveries: DeliveryService
  readonly eventRenderer: EventRenderer
  readonly limits: DeliveryLimits
  readonly clock: Clock
  readonly settings: { readonly downloadAllow: readonly Cidr[]; readonly caFile?: string | undefined }
}

const testMessages: Readonly<Record<Language, ChatMessage>> = {
  en: { title: 'Wharf', text: 'This is a test. Alerts will arrive here.', severity: 'info' },
  zh: { title: 'Wharf', text: '这是一条测试消息，告警将发送到这里。', severity: 'info' },
}

/** Sends a test message once, before the waiting messages. */
export const testEndpointJob = (deps: TestEndpointDeps): JobOperation<typeof testChatAppEndpoint, Input> => ({
  operation: testChatAppEndpoint,
  async start({ path: { uuid }, fields: { ownEvent }, commit }, enqueue) {
    const { name } = await deps.endpoints.get(uuid)
    return commit((tx) => enqueue(tx, { subject: { uuid, name }, host: null, input: { endpointUuid: uuid, ownEvent } }))
  },
  steps: [step('send', (context) => sendTest(context, deps))],
  succeeded: async () => ({}),
})

async function sendTest(context: JobContext<Input>, deps: TestEndpointDeps): Promise<void> {
  const { endpoints, deliveries, eventRenderer } = deps
  const { input, jobUuid, log } = context
  const endpoint = await endpoints.get(input.endpointUuid)
  const { ownEvent } = input
  const message =
    ownEvent === undefined ? testMessages[endpoint.language] : await eventRenderer.exampleMessage(ownEvent, endpoint)
  const failure = await sendOnce(context, endpoint, message, deps)
  if (ownEvent !== undefined) {
    const sent = { uuid: jobUuid, endpointUuid: endpoint.uuid, ownEvent, reason: failure ?? null }
    await context.write((tx) => deliveries.recordTest(tx, { ...message, ...sent }))
  }
  if (failure !== undefined)
    throw new ApiError('SNS.1001', `the test message to ${endpoint.name} did not arrive: ${failure}`)
  log(`${endpoint.type} accepted the message`)
}

/** Returns why the message did not arrive. */
async function sendOnce(
  { jobUuid, signal }: JobContext<Input>,
  endpoint: EndpointRow,
  message: ChatMessage,
  { endpoints, limits, settings, clock }: TestEndpointDeps,
): Promise<string | undefined> {
  const platform = chatPlatforms[endpoint.type]
  const to = await endpoints.recipient(endpoint)
  for (const [index, request] of platform.render(message, to).entries()) {
    const verdict = await send(platform, request, {
      signal,
      allow: settings.downloadAllow,
      caFile: settings.caFile,
      requestMs: limits.requestMs,
      idempotencyKey: `${jobUuid}-${index + 1}`,
      clock,
    })
    if (verdict.kind !== 'delivered') return verdict.reason
  }
  return undefined
}
