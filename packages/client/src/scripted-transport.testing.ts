/** A transport that answers from a script and records requests. */
import { WholeBody } from './body-queue.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

export interface ScriptedAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

export type Script = (request: TransportRequest, index: number) => ScriptedAnswer | Error;

export interface ScriptedTransport extends Transport {
  readonly requests: readonly TransportRequest[];
}

export function scriptedTransport(script: Script): ScriptedTransport {
  const requests: TransportRequest[] = [];
  return {
    requests,
    send: async (request) => {
      const answer = script(request, requests.push(request) - 1);
      if (answer instanceof Error) throw answer;
      return responseOf(answer);
    },
    close: () => Promise.resolve(),
  };
}

function responseOf({ status = 200, headers = {}, body = '' }: ScriptedAnswer): TransportResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/plain' : 'application/json';
  return { status, headers: { 'content-type': type, ...headers }, body: new WholeBody([Buffer.from(text)]) };
}
