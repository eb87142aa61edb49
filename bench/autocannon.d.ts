declare module 'autocannon' {
  interface Result {
    readonly '2xx': number
    readonly non2xx: number
    readonly errors: number
  }
  export default function autocannon(options: {
    url: string
    headers?: Record<string, string>
    connections?: number
    amount?: number
  }): Promise<Result>
}
