/** Serves health probes and metrics over plain HTTP, as controller-runtime does. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { metricsContentType, type MetricsRegistry } from '@flotilla/kube';
import { listenFault, parseAddress } from '../listen-address.ts';
import type { ServedAddresses } from './agent-settings.ts';

export interface StatusServers {
  readonly stop: () => void;
}

export async function startStatusServers(
  { health, metrics }: ServedAddresses,
  registry: MetricsRegistry,
): Promise<StatusServers> {
  const servers: Server[] = [];
  const stop = (): void => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
  try {
    for (const address of health) servers.push(await listen(address, probePaths));
    for (const address of metrics) servers.push(await listen(address, new Map([['/metrics', () => scrape(registry)]])));
  } catch (error) {
    stop();
    throw error;
  }
  return { stop };
}

interface Page {
  readonly type: string;
  readonly body: string;
}

type Pages = ReadonlyMap<string, () => Page>;

const ok = (): Page => ({ type: 'text/plain; charset=utf-8', body: 'ok' });

const probePaths: Pages = new Map([
  ['/healthz', ok],
  ['/readyz', ok],
]);

function scrape(registry: MetricsRegistry): Page {
  return { type: metricsContentType, body: registry.text() };
}

async function listen(address: string, pages: Pages): Promise<Server> {
  const { host, port } = parseAddress(address);
  const server = createServer((request, response) => answer(response, pages.get(pathOf(request.url))));
  server.unref();
  const ready = once(server, 'listening');
  server.listen({ port, ...(host !== '' && { host }) });
  await ready.catch((error: NodeJS.ErrnoException) => {
    throw listenFault(address, error);
  });
  return server;
}

function answer(response: ServerResponse, page: (() => Page) | undefined): void {
  if (page === undefined) {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('404 page not found\n');
    return;
  }
  const { type, body } = page();
  response.writeHead(200, { 'content-type': type }).end(body);
}

function pathOf(url = '/'): string {
  const [path = '/'] = url.split('?');
  return path;
}
