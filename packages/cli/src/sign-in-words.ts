/** Where signing in is what failed, the server cannot be asked what that means: it would refuse that too. */
export const signInWords: Readonly<Record<string, { readonly en: string; readonly zh: string }>> = {
  'ID.1000': {
    en: 'The server does not know this name with this password, or this access key with this secret; or the clock of this machine is wrong. Sign in again with wharf login; wharf doctor finds out more.',
    zh: '服务器不认可该用户名与密码，或该访问密钥与其密文；也可能是本机时钟不准。请用 wharf login 重新登录，wharf doctor 可查明原因。',
  },
  'ID.1001': {
    en: 'The session has ended, or belongs to another server. Sign in again with wharf login; wharf doctor finds out more.',
    zh: '会话已结束，或属于另一台服务器。请用 wharf login 重新登录，wharf doctor 可查明原因。',
  },
  'ID.1003': {
    en: 'There were too many failed attempts, so that the server takes no more for a while. Wait some minutes, then sign in with wharf login; wharf doctor finds out more.',
    zh: '失败次数过多，服务器暂不接受新的尝试。请等待几分钟，再用 wharf login 登录，wharf doctor 可查明原因。',
  },
}
