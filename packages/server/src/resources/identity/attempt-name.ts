/** The names that failed attempts are counted under. The prefixes separate keys from users. */
export const attemptName = {
  key: (id: string): string => `key ${id}`,

  /** All guesses at a user count together, however the account is named, also when the user does not exist. */
  user: (accountUuid: string, userName: string): string => `user ${accountUuid} ${userName}`,

  /** For an unknown account; `userName` defaults to the built-in user. */
  userOfUnknownAccount: ({ name, uuid }: { name?: string; uuid?: string }, userName = name): string =>
    `nobody ${JSON.stringify([name, uuid, userName])}`,
}
