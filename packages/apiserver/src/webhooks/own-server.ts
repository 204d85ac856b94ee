/** Webhooks behind the Service `kubernetes`: kube-apiserver calls itself as `system:apiserver`, and so does this server. */
import { apiServerUser, errorMessage, quote, type ApiHandler, type ApiResponse } from '@flotilla/kube';
import { Deadline } from './deadline.ts';
import type { ServiceReference } from './resolve-service.ts';
import type { CallWebhook, WebhookAnswer, WebhookCall } from './webhook-call.ts';

export function isOwnService({ namespace, name, port }: ServiceReference): boolean {
  return namespace === 'default' && name === 'kubernetes' && port === 443;
}

/** What another thread can send. */
export type OwnServerCall = Pick<WebhookCall, 'shownUrl' | 'body' | 'timeoutMs' | 'maxAnswerBytes' | 'signal'>;
export type CallOwnServer = (call: OwnServerCall) => Promise<WebhookAnswer>;

/** Calls of the server's own Service stay in the process; others go to the network. */
export function routeCalls(callOwnServer: CallOwnServer, callOthers: CallWebhook): CallWebhook {
  return (call) => (call.isOwnServer ? callOwnServer(call) : callOthers(call));
}

/**
 * A request of the server to itself may call the same webhook again: each level waits for the next one, and only the timeout of the
 * first one would end that.
 */
const maxCalls = 100;

const tooMany: WebhookAnswer = { status: 429, body: new Uint8Array() };

/** Answers 429 to more than `maxCalls` at a time. */
export function ownServerCalls(handle: ApiHandler): CallOwnServer {
  let calls = 0;
  return async (call) => {
    if (calls >= maxCalls) return tooMany;
    calls++;
    const deadline = new Deadline(call.timeoutMs, call.signal);
    try {
      return answerOf(await deadline.race(send(handle, call, deadline.signal)), call.maxAnswerBytes);
    } catch (error) {
      throw new Error(`Post ${quote(call.shownUrl)}: ${errorMessage(error)}`, { cause: error });
    } finally {
      deadline.end();
      calls--;
    }
  };
}

async function send(handle: ApiHandler, { shownUrl, body }: OwnServerCall, signal: AbortSignal): Promise<ApiResponse> {
  const { pathname, search } = new URL(shownUrl);
  return handle({
    method: 'POST',
    path: pathname,
    query: search.slice(1),
    headers: {
      'user-agent': 'kube-apiserver-admission',
      'content-type': 'application/json',
      accept: 'application/json, */*',
    },
    user: apiServerUser,
    body: () => Promise.resolve(body),
    signal,
  });
}

function answerOf({ status, headers, body }: ApiResponse, max: number): WebhookAnswer {
  // No request with POST is answered with a stream.
  if ('start' in body) throw new Error('unexpected EOF');
  const bytes = body instanceof Uint8Array ? body : Buffer.concat(body);
  if (bytes.length > max) throw new Error(`the answer is larger than ${max} bytes`);
  const type = headers['content-type'];
  return { status, contentType: typeof type === 'string' ? type : '', body: bytes };
}
