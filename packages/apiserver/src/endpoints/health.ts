import { compareBytes, quote } from '@flotilla/kube';
import type { PathHandler } from '../request/path-handler.ts';
import { textResponse } from '../response/respond.ts';
import type { Query } from '../request/query.ts';

interface Check {
  readonly name: string;
  readonly isHealthy: () => boolean;
}

export interface HealthOptions {
  readonly isStopping: () => boolean;
  readonly isStarted: () => boolean;
  /** Whether the last writes to disk succeeded. */
  readonly isStoreHealthy: () => boolean;
}

/**
 * `/healthz`, `/livez` and `/readyz`: one word, or a line for each check with `?verbose`. Checks have the names of
 * kube-apiserver's; `etcd` checks our store.
 */
export function health(options: HealthOptions): (path: string) => PathHandler | undefined {
  const ping: Check = { name: 'ping', isHealthy: () => true };
  const store: Check = { name: 'etcd', isHealthy: options.isStoreHealthy };
  const storeReadiness: Check = { name: 'etcd-readiness', isHealthy: options.isStoreHealthy };
  const bootstrap: Check = { name: 'poststarthook/bootstrap-controller', isHealthy: options.isStarted };
  const shutdown: Check = { name: 'shutdown', isHealthy: () => !options.isStopping() };
  const endpoints: ReadonlyMap<string, readonly Check[]> = new Map([
    ['healthz', [ping, store, bootstrap]],
    ['livez', [ping, store, bootstrap]],
    ['readyz', [ping, store, storeReadiness, bootstrap, shutdown]],
  ]);
  return (path) => {
    const [, endpoint = '', ...rest] = path.split('/');
    const checks = endpoints.get(endpoint);
    if (!checks) return undefined;
    if (rest.length === 0) return (_request, { query }) => report(endpoint, checks, query);
    const one = checks.find(({ name }) => name === rest.join('/'));
    return one && (() => reportOne(one));
  };
}

/** Withholds the reason of a failure, like kube-apiserver. */
function reportOne({ name, isHealthy }: Check): ReturnType<PathHandler> {
  if (!isHealthy()) return textResponse(500, `internal server error: ${name} failed\n`);
  const response = textResponse(200, 'ok');
  delete response.headers['x-content-type-options'];
  return response;
}

function report(endpoint: string, checks: readonly Check[], query: Query): ReturnType<PathHandler> {
  const excluded = new Set(query.all('exclude').filter((name) => name !== ''));
  const lines: string[] = [];
  let isHealthy = true;
  for (const { name, isHealthy: check } of checks) {
    if (excluded.delete(name)) {
      lines.push(`[+]${name} excluded: ok\n`);
    } else if (check()) {
      lines.push(`[+]${name} ok\n`);
    } else {
      isHealthy = false;
      lines.push(`[-]${name} failed: reason withheld\n`);
    }
  }
  if (excluded.size > 0)
    lines.push(`warn: some health checks cannot be excluded: no matches for ${listed(excluded)}\n`);
  if (!isHealthy) return textResponse(500, `${lines.join('')}${endpoint} check failed\n`);
  return textResponse(200, query.has('verbose') ? `${lines.join('')}${endpoint} check passed\n` : 'ok');
}

function listed(names: ReadonlySet<string>): string {
  return [...names].sort(compareBytes).map(quote).join(',');
}
