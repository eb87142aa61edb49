import { defineMessages } from '../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    title: 'Documents',
    intro: 'The documents of this version.',
    notFound: 'No such document',
    toList: 'All documents',
    titles: {
      console: 'The console',
      cli: 'The command line',
      operating: 'Operating Wharf',
      'package-format': 'The package format',
      releases: 'Releases',
      rollouts: 'Rollouts',
      'alerts-and-chat': 'Alerts and chat',
      'candidate-hosts': 'Candidate hosts',
      migration: 'The migration gateway',
      elaborations: 'Explaining errors',
      query: 'Querying',
      'writing-a-client': 'Writing a client',
      scaling: 'Several nodes',
      reliability: 'Reliability',
      identity: 'Sign-in, sessions and keys',
      audit: 'The audit trail',
      security: 'Security review',
    },
  },
  zh: {
    title: '文档',
    intro: '当前版本的文档（英文）。',
    notFound: '没有这个文档',
    toList: '所有文档',
    titles: {
      console: '控制台',
      cli: '命令行',
      operating: '运维指南',
      'package-format': '软件包格式',
      releases: '发布版本',
      rollouts: '滚动发布',
      'alerts-and-chat': '告警与聊天',
      'candidate-hosts': '候选主机',
      migration: '迁移网关',
      elaborations: '错误解释',
      query: '查询语法',
      'writing-a-client': '编写客户端',
      scaling: '多节点部署',
      reliability: '可靠性',
      identity: '登录、会话和密钥',
      audit: '审计记录',
      security: '安全评审',
    },
  },
})

export type DocumentName = keyof typeof messages.en.titles
export const documentNames = Object.keys(messages.en.titles) as DocumentName[]
