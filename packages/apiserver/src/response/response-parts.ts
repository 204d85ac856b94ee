import { randomUUID } from 'node:crypto';
import type { ApiRequest, ApiResponse, ResponseHeaders, ResponseStream } from '@flotilla/kube';

export function isStream(body: ApiResponse['body']): body is ResponseStream {
  return 'start' in body;
}

const validAuditId = /^[\w.:-]{1,64}$/;

/** What a response depends on. */
export type AnsweredRequest = Pick<ApiRequest, 'method' | 'headers' | 'auditId'>;

/** The id that the client chose, or a new one. */
export function auditIdOf({ headers }: Pick<ApiRequest, 'headers'>): string {
  const given = headers['audit-id'];
  return given !== undefined && validAuditId.test(given) ? given : randomUUID();
}

/** Adds the audit id. */
export function withCommonHeaders({ headers }: ApiResponse, request: AnsweredRequest): ResponseHeaders {
  headers['audit-id'] = request.auditId ?? auditIdOf(request);
  return headers;
}
