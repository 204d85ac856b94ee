import { apiErrors } from '@flotilla/kube';

/** The body of a request that has arrived whole. Throws what the listener of a server answers to one that is too large. */
export function withinLimit(body: Uint8Array, limit: number): Uint8Array {
  if (body.length > limit) throw apiErrors.requestEntityTooLarge(`limit is ${limit}`);
  return body;
}
