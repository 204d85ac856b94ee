import { bootstrap, createApiServer, openEngine } from '@flotilla/apiserver';
import { createClient, fixedCredentials, httpTransport, inProcessTransport } from '@flotilla/client';
import { startServer } from '@flotilla/fleet';
import { administrator } from '@flotilla/kube';
import { systemClock } from '@flotilla/timing';
import { controllersConformance } from './controllers-conformance.ts';

controllersConformance('over HTTP/2', async () => {
  const { url, credentials, stop } = await startServer();
  const identity = { authority: credentials.server.authority, authorization: `Bearer ${credentials.token}` };
  return { client: createClient(httpTransport({ server: url, credentials: fixedCredentials(identity) })), stop };
});

controllersConformance('in process', async () => {
  const engine = await openEngine({ memory: true }, { clock: systemClock });
  const api = createApiServer({ store: engine.store('hub'), clock: systemClock, address: () => '127.0.0.1:6443' });
  await bootstrap(api, 6443);
  return { client: createClient(inProcessTransport(api.handle, administrator, api.view)), stop: () => engine.close() };
});
