import type { ApiRequest, ApiResponse } from '@flotilla/kube';
import type { FailedRequest } from '../metrics/request-observer.ts';
import type { ListenerContext } from './listener.ts';
import { Query } from '../request/query.ts';
import { errorResponse } from '../response/respond.ts';
import type { AnsweredRequest } from '../response/response-parts.ts';

/** What the listener knows of a request even if parsing it failed. */
export function failedRequest(
  method = 'GET',
  target = '/',
  headers: Readonly<Record<string, unknown>> = {},
): FailedRequest & AnsweredRequest {
  const [path = '/'] = target.split('?', 1);
  return { method, path, user: undefined, headers: headers as ApiRequest['headers'] };
}

/** Logs and counts an exception outside of all servers. Returns the response for the client, or undefined if that fails, too. */
export function faultResponse(
  { reportFault }: Pick<ListenerContext, 'reportFault'>,
  request: FailedRequest & AnsweredRequest,
  error: unknown,
): ApiResponse | undefined {
  const apiError = reportFault(request, error);
  try {
    return errorResponse(request, Query.empty, apiError);
  } catch {
    return undefined;
  }
}
