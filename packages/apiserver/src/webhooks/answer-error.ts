/** The errors of Kubernetes' client for answers that are no success. */
import { ApiError, isJsonObject, parseJson, quote, type ApiStatus, type JsonObject } from '@flotilla/kube';
import type { WebhookAnswer } from './webhook-call.ts';

export function isSuccess({ status }: WebhookAnswer): boolean {
  return status >= 200 && status <= 206;
}

const maxTextLength = 2048;

const messages: ReadonlyMap<number, string> = new Map([
  [400, 'the server rejected our request for an unknown reason'],
  [401, 'the server has asked for the client to provide credentials'],
  [404, 'the server could not find the requested resource'],
  [405, 'the server does not allow this method on the requested resource'],
  [409, 'the server reported a conflict'],
  [422, 'the server rejected our request due to an error in our request'],
  [429, 'the server has received too many requests and has asked us to try again later'],
  [503, 'the server is currently unable to handle the request'],
  [504, 'the server was unable to return a response in the time allotted, but may still be processing the request'],
]);

/** An answer that is a Status speaks for itself. */
export function answerError(answer: WebhookAnswer): { readonly message: string; readonly code: number } {
  const { status: code } = answer;
  const status = statusIn(answer);
  if (status) return { message: status.message ?? '', code: status.code ?? code };
  const text = textOf(answer);
  const known = messages.get(code);
  if (known !== undefined) return { message: known, code };
  if (code === 403 || code === 415) return { message: text, code };
  if (code === 406 && text !== 'unknown') return { message: text, code };
  if (code === 406)
    return { message: 'the server was unable to respond with a content type that the client supports', code };
  if (code >= 500)
    return { message: `an error on the server (${quote(text)}) has prevented the request from succeeding`, code };
  return { message: `the server responded with the status code ${code} but did not return more information`, code };
}

function textOf({ body, contentType = '' }: WebhookAnswer): string {
  if (contentType !== '' && !contentType.trimStart().startsWith('text/')) return 'unknown';
  return Buffer.from(body.subarray(0, maxTextLength)).toString('utf8').trim() || 'unknown';
}

function statusIn({ body }: WebhookAnswer): ApiStatus | undefined {
  if (body.length > maxStatusBytes) return undefined;
  try {
    const { value } = parseJson(Buffer.from(body).toString('utf8'));
    return isJsonObject(value) && isFailure(value) ? new ApiError(value as unknown as ApiStatus).status : undefined;
  } catch {
    return undefined;
  }
}

const maxStatusBytes = 64 * 1024;

function isFailure({ kind, apiVersion, status }: JsonObject): boolean {
  return kind === 'Status' && apiVersion === 'v1' && status === 'Failure';
}
