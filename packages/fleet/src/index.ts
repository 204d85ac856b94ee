export {
  backupPath,
  CannotRestore,
  DirectoryInUse,
  loopDelayPath,
  NothingToBackUp,
  offlineBackup,
  parseTokenFile,
  restoreBackup,
  UnusableDatabase,
} from '@flotilla/apiserver';
export type { HubSettings } from '@flotilla/controllers';
export { attachHub, type AttachedHub, type AttachHubOptions, type HubElection } from './attach-hub.ts';
export { installDefinitions } from './install-definitions.ts';
export { kubeconfigText, mergedKubeconfig, type Kubeconfig } from './kubeconfig.ts';
export {
  memberAccount,
  memberCredentials,
  MemberHasOtherIdentity,
  memberUser,
  registerMember,
  type MemberCredentials,
} from './member-credentials.ts';
export { startBareServer, type BareServerOptions } from './start-bare-server.ts';
export { startHub, type RunningHub, type StartHubOptions } from './start-hub.ts';
export { startServer, type RunningServer, type StartServerOptions } from './start-server.ts';
