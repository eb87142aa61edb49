import { defineMessages } from '../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    title: 'Copy as command',
    wharf: 'Command line',
    curl: 'curl',
    copy: (what: string) => `Copy ${what}`,
    copied: 'Copied',
    notCopied: 'The browser did not allow copying. Select the text and copy it.',
    close: 'Close',
    variables: 'Set $WHARF_SESSION to a session id. Secrets are shell variables.',
  },
  zh: {
    title: '复制为命令',
    wharf: '命令行',
    curl: 'curl',
    copy: (what: string) => `复制 ${what}`,
    copied: '已复制',
    notCopied: '浏览器不允许复制，请选中文本后手动复制。',
    close: '关闭',
    variables: '请将 $WHARF_SESSION 设为会话 ID。密钥和密码以 shell 变量表示。',
  },
})
