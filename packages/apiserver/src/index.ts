export { checkPolicyTypes } from './admission/policies/type-check/check-policy-types.ts';
export { type StaticToken } from './access/authentication/bearer-tokens.ts';
export { readAuthenticationConfiguration } from './access/authentication/oidc/authentication-configuration.ts';
export { signingAlgorithms } from './access/authentication/oidc/token-signature.ts';
export { type ServiceAccountTokenOptions } from './access/authentication/service-account-tokens.ts';
export { derivedTokenKey, signingKey, verificationKeys } from './access/authentication/token-keys.ts';
export { parseTokenFile } from './access/authentication/token-file.ts';
export type { MakeBackend } from './audit/backends/audit-backend.ts';
export { logBackend, type LogOutput } from './audit/backends/log-backend.ts';
export { truncatingBackend } from './audit/backends/truncated-events.ts';
export { RotatingFile } from './audit/backends/rotating-file.ts';
export { webhookBackend } from './audit/backends/webhook-backend.ts';
export { readAuditPolicy } from './audit/policy/read-policy.ts';
export { ConfigurationError } from './configuration/read-configuration.ts';
export { rotateCertificates } from './credentials/certificate-rotation.ts';
export {
  isDueForRenewal,
  isIssuedBy,
  isPair,
  issueCertificate,
  isValidForHosts,
  makeAuthority,
  renewAuthority,
  type KeyedCertificate,
  type ServerIdentity,
} from './credentials/certificates.ts';
export { findKeys, finishCredentials, loadCredentials, makeCredentials } from './credentials/credential-files.ts';
export {
  freshCredentials,
  overdueCertificate,
  renewedCredentials,
  type CredentialSet,
} from './credentials/credentials.ts';
export { planKeys } from './credentials/keys-and-data.ts';
export {
  identityOfFiles,
  identityWithFiles,
  type CompleteFiles,
  type ServingFiles,
} from './credentials/serving-files.ts';
export { signRequest, type RequestedCertificate } from './credentials/sign-request.ts';
export { UnusableCredentials } from './credentials/unusable-credentials.ts';
export { forbidden, type Admission, type Attributes } from './admission/admission.ts';
export { collectionOf } from './custom/objects/custom-resource.ts';
export { namespacedObject, storedObject, storedObjects } from './admission/stored-objects.ts';
export { backupDirectory, type KeysOfBackup } from './backup/backup-directory.ts';
export { restoreDirectory } from './backup/restore-directory.ts';
export { CannotUnseal } from './backup/sealed-file.ts';
export { bootstrap, completePrepared } from './bootstrap/bootstrap.ts';
export { prepareObjects, storePrepared, type PreparedValues } from './bootstrap/prepared-objects.ts';
export { replaceUids } from './bootstrap/replace-uids.ts';
export { publishClientAuthority } from './bootstrap/client-authority.ts';
export { publishServer, type PublishedServer } from './bootstrap/publish-server.ts';
export { HeavyThread, type HeavyThreadOptions } from './heavy/heavy-thread.ts';
export { releaseSharedObjects, shareObjectsBriefly } from './representation/shared-objects.ts';
export { splitApiVersion } from './resources/builtin-resource.ts';
export { runHeavyWorker } from './heavy/run-heavy-worker.ts';
export { backupHandler, backupPath } from './endpoints/backup-path.ts';
export { embeddedPath, type RoutedServer, type ServerRoutes } from './wire/server-routes.ts';
export { listen } from './wire/listener.ts';
export { loopDelayHandler, loopDelayPath } from './endpoints/loop-delay-path.ts';
export { metricsPath } from './endpoints/metrics-path.ts';
export { processMetrics } from './metrics/process-metrics.ts';
export { batchMetrics } from './metrics/store-metrics.ts';
export type { PathHandler } from './request/path-handler.ts';
export type { Kubelets } from './call/server.ts';
export { Query } from './request/query.ts';
export { errorResponse } from './response/respond.ts';
export { createApiServer, type ApiServer, type ApiServerOptions, type ServerOptions } from './server/server.ts';
export { databaseFile, DirectoryInUse, UnusableDirectory } from './store/disk/data-directory.ts';
export { hasDatabase, UnusableDatabase } from './store/disk/database-header.ts';
export { NothingToBackUp, offlineBackup } from './backup/offline-backup.ts';
export { openEngine } from './store/engine/open-engine.ts';
export { CannotRestore } from './backup/restore.ts';
export type { Snapshot, StorageEngine, Store } from './store/store.ts';
