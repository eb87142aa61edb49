import { fetchSettings, platformFetch } from './platform-fetch.ts'
import type { SendRequest } from './send-request.ts'

/** Replaces node-request.ts in browsers. */
export const sendRequest: SendRequest = (url, request) => platformFetch(url, { ...request, ...fetchSettings })
