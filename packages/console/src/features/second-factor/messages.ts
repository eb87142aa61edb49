import { defineMessages } from '../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    code: 'Code or recovery code',
    codeHelp: 'Enter the code that your authenticator app shows, or a recovery code.',
    firstCode: 'Code that the app shows',
    scan: 'Scan the QR code with an authenticator app, or enter the secret there. Then enter the code that the app shows.',
    requires: 'This server requires a second factor.',
    qrCode: 'QR code for an authenticator app',
    secret: 'Secret',
    usePasskey: 'Use a passkey',
    recoveryCodes: 'Recovery codes',
    recoveryCodesHelp:
      'Store these codes where you find them without your device. Each replaces the second factor once.',
  },
  zh: {
    code: '验证码或恢复代码',
    codeHelp: '请输入身份验证器应用显示的验证码，或一个恢复代码。',
    firstCode: '应用显示的验证码',
    scan: '请用身份验证器应用扫描二维码，或在应用中输入密钥，然后输入应用显示的验证码。',
    requires: '此服务器要求第二因素。',
    qrCode: '身份验证器应用的二维码',
    secret: '密钥',
    usePasskey: '使用通行密钥',
    recoveryCodes: '恢复代码',
    recoveryCodesHelp: '请将这些代码保存在没有设备时也能找到的地方。每个代码可以代替第二因素一次。',
  },
})
