import { randomUUID } from 'node:crypto';
import type { ApiRequest, ApiResponse, ResponseHeaders, ResponseStream } from '@flotilla/kube';

export function isStream(body: ApiResponse['body']): body is ResponseStream {
  return 'start' in body;
}

const plausibleAuditId = /^[\w.:-]{1,64}$/;

/** As much of a request as its answer depends on. */
export type AnsweredRequest = Pick<ApiRequest, 'method' | 'headers'>;

/** Requests are known by an id, the client's own if it brought one. */
export function withCommonHeaders({ headers }: ApiResponse, request: AnsweredRequest): ResponseHeaders {
  const given = request.headers['audit-id'];
  headers['audit-id'] = given !== undefined && plausibleAuditId.test(given) ? given : randomUUID();
  return headers;
}
