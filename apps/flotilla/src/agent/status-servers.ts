/** Serves health probes and metrics over plain HTTP, as controller-runtime does. */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { metricsContentType, type MetricsRegistry } from '@flotilla/kube';
import { listenFault, parseAddress } from '../listen-address.ts';
import type { ServedAddresses } from './agent-settings.ts';

export interface StatusServers {
  readonly stop: () => void;
}

/** Names of what is not ready yet. */
export type Pending = ReadonlySet<string>;

/** Further handlers of the metrics server, by the prefix of their paths. */
export type BesideMetrics = ReadonlyMap<string, RequestListener>;

export async function startStatusServers(
  { health, metrics }: ServedAddresses,
  registry: MetricsRegistry,
  pending: Pending = new Set(),
  beside: BesideMetrics = new Map(),
): Promise<StatusServers> {
  const servers: Server[] = [];
  const stop = (): void => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
  try {
    for (const address of health) servers.push(await listen(address, probePages(pending)));
    const scraped: Pages = new Map([['/metrics', () => scrape(registry)]]);
    for (const address of metrics) servers.push(await listen(address, scraped, beside));
  } catch (error) {
    stop();
    throw error;
  }
  return { stop };
}

interface Page {
  readonly code?: number;
  readonly type: string;
  readonly body: string;
}

type Pages = ReadonlyMap<string, () => Page>;

const ok = (): Page => ({ type: 'text/plain; charset=utf-8', body: 'ok' });

function probePages(pending: Pending): Pages {
  return new Map([
    ['/healthz', ok],
    ['/readyz', () => (pending.size === 0 ? ok() : notReady(pending))],
  ]);
}

/** In the words of controller-runtime. */
function notReady(pending: Pending): Page {
  const failed = [...pending].map((name) => `[-]${name} failed: reason withheld\n`).join('');
  return { ...ok(), code: 500, body: `[+]ping ok\n${failed}healthz check failed\n` };
}

function scrape(registry: MetricsRegistry): Page {
  return { type: metricsContentType, body: registry.text() };
}

async function listen(address: string, pages: Pages, others: BesideMetrics = new Map()): Promise<Server> {
  const { host, port } = parseAddress(address);
  const server = createServer((request, response) => {
    const path = pathOf(request.url);
    const [, other] = [...others].find(([prefix]) => path.startsWith(prefix)) ?? [];
    if (other) other(request, response);
    else answer(response, pages.get(path));
  });
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
  const { type, body, code = 200 } = page();
  response.writeHead(code, { 'content-type': type }).end(body);
}

function pathOf(url = '/'): string {
  const [path = '/'] = url.split('?');
  return path;
}
