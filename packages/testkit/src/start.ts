/** Loads servers and fleets only in tests that start one. Most tests only need a clock. */
import type { HubSettings } from '@flotilla/controllers';
import type { TestFleet, TestFleetOptions } from './test-fleet.ts';
import type { TestHub } from './test-hub.ts';
import type { TestServer, TestServerOptions } from './test-server.ts';

/** Starts a Kubernetes API server in memory, without sockets, on a clock that the test advances. */
export async function startTestServer(options?: TestServerOptions): Promise<TestServer> {
  const { TestServer: Server } = await import('./test-server.ts');
  return Server.start(options);
}

/** Starts a hub in memory, without sockets and without members: the test plays their agents. */
export async function startTestHub(settings?: HubSettings): Promise<TestHub> {
  const { TestHub: Hub } = await import('./test-hub.ts');
  return Hub.start(settings);
}

/** Starts a hub and simulated members in one process, on a clock that the test advances. Resolves when all have joined. */
export async function startTestFleet(options?: TestFleetOptions): Promise<TestFleet> {
  const { TestFleet: Fleet } = await import('./test-fleet.ts');
  return Fleet.start(options);
}
