import { randomUUID } from 'node:crypto';
import type { ApiRequest, ApiResponse, ResponseHeaders, ResponseStream } from '@flotilla/kube';

export function isStream(body: ApiResponse['body']): body is ResponseStream {
  return 'start' in body;
}

const validAuditId = /^[\w.:-]{1,64}$/;

/** What a response depends on. */
export type AnsweredRequest = Pick<ApiRequest, 'method' | 'headers'>;

/** Adds the audit id: that of the client, or a new one. */
export function withCommonHeaders({ headers }: ApiResponse, request: AnsweredRequest): ResponseHeaders {
  const given = request.headers['audit-id'];
  headers['audit-id'] = given !== undefined && validAuditId.test(given) ? given : randomUUID();
  return headers;
}
