import { defineMessages } from '../../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    title: (name: string) => `Upgrade ${name}`,
    intro:
      'Replaces the installed version by a release of the same software. If a step fails, the earlier version is installed again with its configuration. The log is shown on this page.',
    upgrade: 'Upgrade',
    release: 'Release',
    chooseRelease: 'Choose a release',
    noReleases: 'No other release of this software is published.',
    older: 'Older',
    config: 'Configuration',
    keep: 'Keep the configuration',
    keepHelp: 'The new version gets the configuration of the installed one, with its secrets',
    change: 'Change the configuration',
    changeHelp: 'Enter the configuration of the new version',
    prefilled: 'Filled in from the installed version; enter secrets again.',
    notPrefilled: 'The configuration of the installed version cannot be shown; enter all of it.',
  },
  zh: {
    title: (name: string) => `升级 ${name}`,
    intro: '用同一软件的发布版本替换已安装的版本。任何步骤失败时，会以原来的配置重新安装原版本。日志显示在本页。',
    upgrade: '升级',
    release: '发布版本',
    chooseRelease: '请选择发布版本',
    noReleases: '此软件没有其他已发布的版本。',
    older: '较旧',
    config: '配置',
    keep: '保留配置',
    keepHelp: '新版本使用已安装版本的配置，包括其中的密钥',
    change: '修改配置',
    changeHelp: '填写新版本的配置',
    prefilled: '已填入已安装版本的配置；密钥类内容需要重新填写。',
    notPrefilled: '无法显示已安装版本的配置，请全部填写。',
  },
})
