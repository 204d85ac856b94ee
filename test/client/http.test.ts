import { createClient, fixedCredentials, httpTransport } from '@flotilla/client';
import { startServer } from '@flotilla/fleet';
import { clientConformance } from './client-conformance.ts';

clientConformance('over HTTP/2', async () => {
  const { url, credentials, stop } = await startServer();
  const { server, admin } = credentials;
  const identity = { authority: server.authority, certificate: admin.certificate, key: admin.key };
  return { client: createClient(httpTransport({ server: url, credentials: fixedCredentials(identity) })), stop };
});

clientConformance('over HTTP/2 with compressed answers', async () => {
  const { url, credentials, stop } = await startServer();
  const identity = { authority: credentials.server.authority, authorization: `Bearer ${credentials.token}` };
  const transport = httpTransport({ server: url, credentials: fixedCredentials(identity), compression: true });
  return { client: createClient(transport), stop };
});
