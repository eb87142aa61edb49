declare module 'autocannon' {
  interface Result {
    readonly '2xx': number
    readonly non2xx: number
    readonly errors: number
  }
  /** A request that is repeated; `setupRequest` changes it each time. */
  export interface Request {
    method: string
    path: string
    headers?: Record<string, string>
    body?: string
    setupRequest?: (request: Request) => Request
  }
  export default function autocannon(options: {
    url: string
    headers?: Record<string, string>
    connections?: number
    amount?: number
    /** In milliseconds. */
    sampleInt?: number
    requests?: Request[]
  }): Promise<Result>
}
