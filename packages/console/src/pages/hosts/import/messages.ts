import { defineMessages } from '../../../i18n/messages.ts'

export const messages = defineMessages({
  en: {
    title: 'Add hosts from a file',
    intro:
      'A CSV file with a header. name and address are required; user, port, fingerprint, packagesPath, description, labels and label.<name> are optional.',
    choose: 'Choose CSV file',
    notRead: 'The file is not a list of hosts; nothing was added',
    cancel: 'Cancel',
    add: 'Add hosts',
    consequences:
      'Wharf connects to each host over SSH and adds it. A line without a fingerprint pins the key that the host presents.',
    username: 'User',
    usernameHelp: 'For lines without a user',
    privateKey: 'Private key',
    privateKeyHelp:
      'An SSH key without a passphrase, for all hosts. Default: the key of the server, which must be in authorized_keys.',
    problems: { noUser: 'Enter a user.', badKey: 'Must start with -----BEGIN' },
  },
  zh: {
    title: '从文件添加主机',
    intro:
      '带表头的 CSV 文件。name 和 address 必填；user、port、fingerprint、packagesPath、description、labels 和 label.<名称> 可选。',
    choose: '选择 CSV 文件',
    notRead: '该文件不是主机列表，未添加任何主机',
    cancel: '取消',
    add: '添加主机',
    consequences: 'Wharf 通过 SSH 连接并添加每台主机。没有 fingerprint 的行会固定主机提供的密钥。',
    username: '用户',
    usernameHelp: '用于未指定用户的行',
    privateKey: '私钥',
    privateKeyHelp: '不带口令的 SSH 私钥，用于所有主机。留空则使用服务器自己的密钥，其公钥须已加入 authorized_keys。',
    problems: { noUser: '请输入用户。', badKey: '须以 -----BEGIN 开头' },
  },
})
