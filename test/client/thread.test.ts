import { MessageChannel } from 'node:worker_threads';
import { bootstrap, createApiServer, openEngine } from '@flotilla/apiserver';
import { createClient, inProcessTransport, PortCaller, servePort } from '@flotilla/client';
import { administrator } from '@flotilla/kube';
import { LoopTurns, systemClock } from '@flotilla/timing';
import { clientConformance } from './client-conformance.ts';

// A port copies messages in the same way whether its ends are in one thread or in two.
clientConformance('through a port to another thread', async () => {
  const engine = await openEngine({ memory: true }, { clock: systemClock });
  const api = createApiServer({ store: engine.store('hub'), clock: systemClock, address: () => '127.0.0.1:6443' });
  await bootstrap(api, 6443);
  const { port1, port2 } = new MessageChannel();
  const turns = new LoopTurns();
  servePort(port1, () => api.handle, turns);
  return {
    client: createClient(inProcessTransport(new PortCaller(port2, turns).handlerOf(''), administrator)),
    stop: () => {
      port1.close();
      return engine.close();
    },
  };
});
