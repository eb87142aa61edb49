import type { FastifyRequest } from 'fastify'

/** It is stored with sessions and audit entries. */
const maxCharacters = 256

export const userAgentOf = ({ headers }: FastifyRequest): string | null =>
  headers['user-agent']?.slice(0, maxCharacters) ?? null
