import type { Transport, TransportRequest } from '@flotilla/client';
import { UserFault } from '../user-error.ts';

export type ExtraHeaders = Readonly<Record<string, readonly string[]>>;

/** A block of headers as mails have it: `Name: value`, one on a line, those that begin with a blank go on. */
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
      throw new UserFault(`HUB_KUBE_HEADER has a line that is no header: ${JSON.stringify(line)}.`);
    }
    last = headers.get(name.toLowerCase()) ?? [];
    last.push(value.trim());
    headers.set(name.toLowerCase(), last);
  }
  return Object.fromEntries(headers);
}

/** Sends these with every request, for gateways that ask for them; none takes the place of one that is there already. */
export function withHeaders(transport: Transport, headers: ExtraHeaders): Transport {
  return { ...transport, send: async (request) => transport.send({ ...request, headers: joined(request, headers) }) };
}

function joined(request: TransportRequest, extra: ExtraHeaders): TransportRequest['headers'] {
  const twice = Object.keys(extra).find((name) => Object.hasOwn(request.headers, name));
  if (twice !== undefined) throw new Error(`custom header ${JSON.stringify(twice)} can't override other header`);
  return { ...request.headers, ...extra };
}
