import { defineMessages } from '../../../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    title: (name: string) => `Edit ${name}`,
    save: 'Save',
    unchanged: 'Nothing is changed.',
    connectionHelp: 'A changed connection is tested before it is saved. If it fails, nothing changes.',
    connectionRefused: 'Changing how the host is reached needs the role admin.',
    fingerprint: 'Host key fingerprint',
    fingerprintHelp:
      'Another key is pinned only if the host has it. With another address and this field unchanged, the key found there is pinned.',
    keys: {
      kept: 'Keep the current key',
      own: 'Key of this server',
      given: 'Another key for this host',
    },
    problems: {
      required: 'Required',
      badPort: 'A number from 1 to 65535',
      badKey: 'Must start with -----BEGIN',
      badFingerprint: 'Must start with SHA256:',
    },
  },
  zh: {
    title: (name: string) => `编辑 ${name}`,
    save: '保存',
    unchanged: '没有任何更改。',
    connectionHelp: '更改连接方式时，会先尝试连接再保存。如果失败，则不做任何更改。',
    connectionRefused: '更改主机的连接方式需要 admin 角色。',
    fingerprint: '主机密钥指纹',
    fingerprintHelp: '只有当主机使用该密钥时才会固定新的密钥。更改地址而不更改此项时，会固定在新地址获取的密钥。',
    keys: {
      kept: '保留当前密钥',
      own: '本服务器的密钥',
      given: '为该主机指定另一个密钥',
    },
    problems: {
      required: '必填',
      badPort: '1 到 65535 之间的数字',
      badKey: '须以 -----BEGIN 开头',
      badFingerprint: '须以 SHA256: 开头',
    },
  },
})
