import { once } from 'node:events';
import { stopSignal } from '../stop-signal.ts';
import { ProgramFlags } from './program-flags.ts';

/** Runs for the launcher `envtest/etcd`. */
export async function runEtcd(args: readonly string[]): Promise<void> {
  const stopped = stopSignal();
  const [url = 'http://127.0.0.1:2379'] = new ProgramFlags(args).list('listen-client-urls');
  const stop = await serveHealth(new URL(url));
  await stopped;
  stop();
}

/** Serves `GET /health` as etcd does, and nothing else. Returns a function that stops it. */
async function serveHealth({ hostname, port }: URL): Promise<() => void> {
  // Importing node:http would also load Node's HTTP client, and every suite waits for this stub.
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer((request, response) => {
    const isHealth = request.method === 'GET' && request.url === '/health';
    response.writeHead(isHealth ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isHealth ? '{"health":"true","reason":""}' : '');
  });
  server.listen(Number(port), hostname.replace(/^\[|\]$/g, ''));
  await once(server, 'listening');
  return () => {
    server.close();
    server.closeAllConnections();
  };
}
