import { SecretText } from './schema.ts'

export const password = (description: string) => SecretText(1024, { minLength: 1, description })
