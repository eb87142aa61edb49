import { defineMessages } from '../../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    title: (name: string) => `Edit ${name}`,
    save: 'Save',
    unchanged: 'Nothing is changed.',
    intro:
      'A changed URL or credential is tested before it is saved, and the stored packages must be found there. Otherwise nothing changes.',
    urlHelp: 'Of the same type. The packages must already be there.',
    unchangedIfEmpty: 'Empty: unchanged.',
    fingerprintHelp: 'SHA256:…, to pin another key. Empty: unchanged.',
    key: 'SSH key',
    keys: { kept: 'Keep the current key', own: 'Key of this server', given: 'Another key' },
    problems: {
      required: 'Required',
      badKey: 'Must start with -----BEGIN',
      fingerprint: 'Must start with SHA256:',
      secretRequired: 'Another access key ID needs its secret',
    },
  },
  zh: {
    title: (name: string) => `编辑 ${name}`,
    save: '保存',
    unchanged: '没有任何更改。',
    intro: '更改地址或凭据时，会先进行测试，并确认已保存的软件包存在于该处，然后才保存；否则不做任何更改。',
    urlHelp: '类型必须相同，软件包须已存在于该处。',
    unchangedIfEmpty: '留空则不更改。',
    fingerprintHelp: 'SHA256:…，用于固定另一个密钥。留空则不更改。',
    key: 'SSH 密钥',
    keys: { kept: '保留当前密钥', own: '本服务器的密钥', given: '另一个密钥' },
    problems: {
      required: '必填',
      badKey: '须以 -----BEGIN 开头',
      fingerprint: '须以 SHA256: 开头',
      secretRequired: '更换访问密钥 ID 时须同时填写其密钥',
    },
  },
})
