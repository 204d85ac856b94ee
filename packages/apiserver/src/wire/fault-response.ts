import type { ApiRequest, ApiResponse } from '@flotilla/kube';
import type { FailedRequest } from '../metrics/observed.ts';
import type { Door } from './listener.ts';
import { Query } from '../request/query.ts';
import { errorResponse } from '../response/respond.ts';
import type { Answered } from '../response/response-parts.ts';

/** As much of a request as its listener can say, whatever else failed. */
export function failedRequest(
  method = 'GET',
  target = '/',
  headers: Readonly<Record<string, unknown>> = {},
): FailedRequest & Answered {
  const [path = '/'] = target.split('?', 1);
  return { method, path, user: undefined, headers: headers as ApiRequest['headers'] };
}

/** Logs and counts a fault outside of all servers, and makes what its client gets; undefined where not even that can be made. */
export function faultAnswer(
  { fault }: Pick<Door, 'fault'>,
  request: FailedRequest & Answered,
  error: unknown,
): ApiResponse | undefined {
  const told = fault(request, error);
  try {
    return errorResponse(request, Query.empty, told);
  } catch {
    return undefined;
  }
}
