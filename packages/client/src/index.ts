export type * from './client.ts';
export { systemClock, type Clock } from './clock.ts';
export { ConnectionError, type Reached } from './connection-error.ts';
export { createClient, type ClientOptions } from './create-client.ts';
export { fixedCredentials, type Credentials, type Identity } from './http/credentials.ts';
export { httpTransport, type HttpTransportOptions } from './http/http-transport.ts';
export { inProcessTransport } from './in-process/in-process-transport.ts';
export type * from './transport.ts';
