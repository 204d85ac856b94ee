/** The second entry point of this package, for programs that run a server and no fleet: it loads no hub or member code. */
export {
  backupDirectory,
  backupPath,
  CannotRestore,
  CannotUnseal,
  DirectoryInUse,
  loopDelayPath,
  NothingToBackUp,
  offlineBackup,
  parseTokenFile,
  restoreDirectory,
  signingKey,
  UnusableCredentials,
  UnusableDatabase,
  UnusableDirectory,
  verificationKeys,
  type KeysOfBackup,
  type ServerOptions,
} from '@flotilla/apiserver';
export { kubeconfigText, mergedKubeconfig, type Kubeconfig } from './kubeconfig.ts';
export { startBareServer, type BareServerOptions } from './start-bare-server.ts';
export { startServer, type RunningServer, type StartServerOptions } from './start-server.ts';
