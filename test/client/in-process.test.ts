import { bootstrap, createApiServer, openEngine } from '@flotilla/apiserver';
import { createClient, inProcessTransport } from '@flotilla/client';
import { administrator } from '@flotilla/kube';
import { systemClock } from '@flotilla/timing';
import { clientConformance } from './client-conformance.ts';

clientConformance('in process', async () => {
  const engine = await openEngine({ memory: true }, { clock: systemClock });
  const api = createApiServer({ store: engine.store('hub'), clock: systemClock, address: () => '127.0.0.1:6443' });
  await bootstrap(api, 6443);
  return { client: createClient(inProcessTransport(api.handle, administrator)), stop: () => engine.close() };
});
