/** The names that failed attempts are counted under. The kinds never meet: a key may have the name of a user. */
export const attemptName = {
  key: (id: string): string => `key ${id}`,

  /** However the account is named, guesses at a user count together, and so they do for a user that does not exist. */
  user: (accountUuid: string, userName: string): string => `user ${accountUuid} ${userName}`,

  /** Of no account that exists; `userName` is absent where the user of the account itself is meant. */
  userOfUnknownAccount: ({ name, uuid }: { name?: string; uuid?: string }, userName = name): string =>
    `nobody ${JSON.stringify([name, uuid, userName])}`,
}
