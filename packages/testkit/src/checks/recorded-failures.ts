import { appendFileSync } from 'node:fs'

/** The file in which a run of the whole suite collects every failure that a server returned; scripts/test.ts sets it. */
const file = process.env.TEST_FAILURES_FILE
const recorded = new Set<string>()

/** One line per failure and process, without the request id: the catalogue of elaborations is compared with them. */
export function recordFailure(body: unknown): void {
  if (file === undefined) return
  const { code, details } = (body as { error?: { code?: unknown; details?: unknown } | null } | undefined)?.error ?? {}
  if (typeof code !== 'string' || typeof details !== 'string') return
  const line = JSON.stringify({ code, details: details.replace(/ \(request [0-9a-f]{32}\)$/, '') })
  if (recorded.has(line)) return
  recorded.add(line)
  appendFileSync(file, `${line}\n`)
}
