import type { PathHandler, PathOptions } from '../paths.ts';
import { textResponse } from './respond.ts';
import type { Query } from './query.ts';

interface Check {
  readonly name: string;
  readonly isWell: () => boolean;
}

/** `/healthz`, `/livez` and `/readyz`: one word for machines, a line for each check with `?verbose`. */
export function health({
  isShuttingDown,
}: Pick<PathOptions, 'isShuttingDown'>): (path: string) => PathHandler | undefined {
  const ping: Check = { name: 'ping', isWell: () => true };
  const shutdown: Check = { name: 'shutdown', isWell: () => !isShuttingDown() };
  const endpoints: ReadonlyMap<string, readonly Check[]> = new Map([
    ['healthz', [ping]],
    ['livez', [ping]],
    ['readyz', [ping, shutdown]],
  ]);
  return (path) => {
    const [, endpoint = '', check, ...rest] = path.split('/');
    const checks = endpoints.get(endpoint);
    if (!checks || rest.length > 0) return undefined;
    if (check === undefined) return (_request, { query }) => report(endpoint, checks, query);
    const one = checks.find(({ name }) => name === check);
    return one && (() => single(one));
  };
}

function single({ name, isWell }: Check): ReturnType<PathHandler> {
  return isWell() ? textResponse(200, 'ok') : textResponse(500, `internal server error: ${name} failed\n`);
}

function report(endpoint: string, checks: readonly Check[], query: Query): ReturnType<PathHandler> {
  const excluded = new Set(query.all('exclude'));
  const lines: string[] = [];
  let isWell = true;
  for (const { name, isWell: check } of checks) {
    if (excluded.has(name)) {
      lines.push(`[+]${name} excluded: ok\n`);
    } else if (check()) {
      lines.push(`[+]${name} ok\n`);
    } else {
      isWell = false;
      lines.push(`[-]${name} failed: reason withheld\n`);
    }
  }
  if (!isWell) return textResponse(500, `${lines.join('')}${endpoint} check failed\n`);
  return textResponse(200, query.has('verbose') ? `${lines.join('')}${endpoint} check passed\n` : 'ok');
}
