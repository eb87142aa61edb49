import {
  addBackupStorage,
  addClusterPlugin,
  addHost,
  createAccessKey,
  createAccount,
  createChatAppEndpoint,
  createMaintenanceWindow,
  createMigrateVmInstance,
  createRollout,
  createThirdpartyPlatform,
  type Operation,
  publishRelease,
  uploadSoftwarePackage,
} from '@wharf/contract'
import { chooseAppearance, useAppearance, useIsDark } from '../../browser/appearance.ts'
import { linkTo } from '../../browser/route.ts'
import { useRefusal } from '../../components/permission.ts'
import { useLanguage } from '../../i18n/language.tsx'
import { useMessages } from '../../i18n/use-messages.ts'
import { requestSignOut } from '../sign-out-request.ts'
import type { FindEntry } from './find-entry.ts'
import { openKeys } from './find-request.ts'
import { messages } from './messages.ts'

type ActionName = keyof (typeof messages)['en']['actions']

/** Actions that open a form, with the operation that the form calls. */
const forms: readonly (readonly [ActionName, Pick<Operation, 'permission'>, string])[] = [
  ['addHost', addHost, linkTo(['hosts', 'add'])],
  ['uploadPackage', uploadSoftwarePackage, linkTo(['packages'], { upload: '1' })],
  ['publishRelease', publishRelease, linkTo(['releases'], { publish: '1' })],
  ['createRollout', createRollout, linkTo(['rollouts', 'create'])],
  ['createWindow', createMaintenanceWindow, linkTo(['rollouts', 'windows'], { create: '1' })],
  ['addStorage', addBackupStorage, linkTo(['backup-storage'], { add: '1' })],
  ['addCluster', addClusterPlugin, linkTo(['clusters', 'add'])],
  ['addEndpoint', createChatAppEndpoint, linkTo(['chat', 'add'])],
  ['createPlatform', createThirdpartyPlatform, linkTo(['alerts', 'platforms'], { create: '1' })],
  ['createKey', createAccessKey, linkTo(['access-keys'], { create: '1' })],
  ['createAccount', createAccount, linkTo(['accounts'], { create: '1' })],
  ['createVm', createMigrateVmInstance, linkTo(['migration'], { create: '1' })],
]

/** The actions that the role of the user allows. */
export function useFindActions(): FindEntry[] {
  const t = useMessages(messages)
  const refused = useRefusal()
  const { language, choose } = useLanguage()
  const isDark = useIsDark()
  const appearance = useAppearance()
  const entry = (name: ActionName, target: FindEntry['target']): FindEntry => ({
    id: `action ${name}`,
    kind: 'action',
    label: t.actions[name],
    words: `${messages.en.actions[name]} ${messages.zh.actions[name]}`,
    target,
  })
  return [
    ...forms.filter(([, operation]) => !refused(operation)).map(([name, , link]) => entry(name, link)),
    entry(language === 'zh' ? 'useEnglish' : 'useChinese', () => choose(language === 'zh' ? 'en' : 'zh')),
    isDark ? entry('useLight', () => chooseAppearance('light')) : entry('useDark', () => chooseAppearance('dark')),
    ...(appearance === 'system' ? [] : [entry('useSystem', () => chooseAppearance('system'))]),
    entry('showKeys', openKeys),
    entry('signOut', requestSignOut),
  ]
}
