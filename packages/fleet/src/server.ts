/** The second entry point of this package, for programs that run a server and no fleet: it loads no hub or member code. */
export {
  backupDirectory,
  backupPath,
  CannotRestore,
  CannotUnseal,
  ConfigurationError,
  DirectoryInUse,
  logBackend,
  loopDelayPath,
  NothingToBackUp,
  offlineBackup,
  parseTokenFile,
  readAuditPolicy,
  readAuthenticationConfiguration,
  restoreDirectory,
  RotatingFile,
  signingAlgorithms,
  signingKey,
  truncatingBackend,
  UnusableCredentials,
  UnusableDatabase,
  UnusableDirectory,
  verificationKeys,
  webhookBackend,
  type KeysOfBackup,
  type LogOutput,
  type MakeBackend,
  type ServerOptions,
} from '@flotilla/apiserver';
export { kubeconfigText, mergedKubeconfig, type Kubeconfig } from './kubeconfig.ts';
export { startBareServer, type BareServerOptions } from './start-bare-server.ts';
export { startServer, type RunningServer, type StartServerOptions } from './start-server.ts';
