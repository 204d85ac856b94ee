import { createClient, fixedCredentials, httpTransport, type Client } from '@flotilla/client';
import type { MeasuredServer } from './measured-server.ts';

/** The administrator's client. */
export function clientOf({ target: { url, authority, certificate, key } }: Pick<MeasuredServer, 'target'>): Client {
  return createClient(httpTransport({ server: url, credentials: fixedCredentials({ certificate, key, authority }) }));
}
