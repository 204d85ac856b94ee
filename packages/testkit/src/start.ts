/** Loads a server only in tests that start one: most want nothing but a clock. */
import type { TestServer, TestServerOptions } from './test-server.ts';

export type { TestServer, TestServerOptions, Through } from './test-server.ts';

/** Starts a Kubernetes API server in memory, without sockets, under a clock that the test moves. */
export async function startTestServer(options?: TestServerOptions): Promise<TestServer> {
  const { TestServer: Server } = await import('./test-server.ts');
  return Server.start(options);
}
