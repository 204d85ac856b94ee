import type { Transport, TransportRequest } from '@flotilla/client';
import { UserError } from '../user-error.ts';

export type ExtraHeaders = Readonly<Record<string, readonly string[]>>;

/** Parses MIME headers: `Name: value` on each line. A line that begins with a blank continues the one before. */
export function parseHeaders(block: string): ExtraHeaders {
  const headers = new Map<string, string[]>();
  let last: string[] | undefined;
  for (const line of block.split(/\r?\n/)) {
    if (line.trim() === '') continue;
    if (/^[ \t]/.test(line) && last !== undefined) {
      last.push(`${last.pop() ?? ''} ${line.trim()}`);
      continue;
    }
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new UserError(`HUB_KUBE_HEADER has a line that is not a header: ${JSON.stringify(line)}.`);
    }
    last = headers.get(name.toLowerCase()) ?? [];
    last.push(value.trim());
    headers.set(name.toLowerCase(), last);
  }
  return Object.fromEntries(headers);
}

/** Adds headers to every request, for gateways. A request that already has one of them fails. */
export function withHeaders(transport: Transport, headers: ExtraHeaders): Transport {
  return {
    ...transport,
    send: async (request) => transport.send({ ...request, headers: mergeHeaders(request, headers) }),
  };
}

function mergeHeaders(request: TransportRequest, extra: ExtraHeaders): TransportRequest['headers'] {
  const duplicate = Object.keys(extra).find((name) => Object.hasOwn(request.headers, name));
  if (duplicate !== undefined)
    throw new Error(`custom header ${JSON.stringify(duplicate)} can't override other header`);
  return { ...request.headers, ...extra };
}
