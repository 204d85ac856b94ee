export { ResponseTooLarge, type ResponseLimits } from './response-limits.ts';
export type * from './client.ts';
export { ConnectionError, type Reached } from './connection-error.ts';
export { createClient, type ClientOptions } from './create-client.ts';
export { discover, type Discovery, type KindQuery } from './discovery/discover.ts';
export type {
  DiscoveredKind,
  DiscoveredKinds,
  DiscoveredSubresource,
  GroupVersion,
} from './discovery/discovered-kind.ts';
export { fixedCredentials, type Credentials, type Identity } from './http/credentials.ts';
export { httpTransport, type HttpTransportOptions } from './http/http-transport.ts';
export { inProcessTransport } from './in-process/in-process-transport.ts';
export { PortCaller } from './thread/port-caller.ts';
export { servePort } from './thread/serve-port.ts';
export { connect, findAccess, type Access, type AccessOptions, type ConnectOptions } from './kubeconfig/connect.ts';
export { environmentProxy } from './kubeconfig/environment-proxy.ts';
export { KubeconfigError } from './kubeconfig/kubeconfig.ts';
export { loadKubeconfig, type Environment } from './kubeconfig/load-kubeconfig.ts';
export type * from './kubeconfig/kubeconfig.ts';
export { userCredentials } from './kubeconfig/user-credentials.ts';
export { readJsonObject } from './read-body.ts';
export { collectionPath, objectPath, queryText, tableAccept } from './request-parts.ts';
export { requestToken, type RequestedToken } from './request-token.ts';
export type * from './transport.ts';
