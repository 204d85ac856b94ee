import type { ApiResponse } from '@flotilla/kube';
import { TooManyRequests, tooManyRequests } from '../limits/too-many-requests.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { Flow } from './flow.ts';

/** Counts the time of a request, and names its flow in the response. */
export function finished(flow: Flow, info: RequestInfo, response: ApiResponse, start: number): ApiResponse {
  const { watchSeconds, regularSeconds } = flow.stats;
  const histogram = info.isResource && info.verb === 'watch' ? watchSeconds : regularSeconds;
  histogram.observe((performance.now() - start) / 1000);
  return withFlowHeaders(flow, response);
}

/**
 * Uids instead of names, so that users do not learn how an administrator calls them. Sets them in place: every response has
 * headers of its own.
 */
export function withFlowHeaders({ schema, level }: Flow, response: ApiResponse): ApiResponse {
  const { headers } = response;
  headers['x-kubernetes-pf-flowschema-uid'] = schema.uid;
  headers['x-kubernetes-pf-prioritylevel-uid'] = level.spec.uid;
  return response;
}

/** The response to a request that is refused. */
export function refusal(error: unknown): ApiResponse {
  if (error instanceof TooManyRequests) return tooManyRequests(error);
  throw error;
}
