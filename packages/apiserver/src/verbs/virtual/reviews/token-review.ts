import { apiErrors, type ApiResponse, type JsonObject, type KubeObject, type User } from '@flotilla/kube';
import type { Call } from '../../../call/call.ts';
import { objectRepresentation, objectResponse } from '../../../representation/represent.ts';
import { readReview } from './read-review.ts';
import type { Recognition } from '../../../access/authentication/bearer-tokens.ts';

interface TokenReview extends KubeObject {
  spec: { token?: string; audiences?: string[] };
}

/** Whose token is this? */
export async function reviewToken(call: Call): Promise<ApiResponse> {
  if (call.info.verb !== 'create') throw apiErrors.methodNotAllowed();
  const representation = objectRepresentation(call);
  const review = (await readReview(call)) as TokenReview;
  const { token = '', audiences = [] } = review.spec;
  if (token === '') throw apiErrors.badRequest('token is required for TokenReview in authentication');
  const recognition = call.server.tokens.recognise(token, audiences.length > 0 ? audiences : undefined);
  return objectResponse(call, 201, { ...review, status: statusOf(recognition) }, representation);
}

function statusOf(recognition: Recognition): JsonObject {
  if ('refusal' in recognition) return { user: {}, error: recognition.refusal };
  return { authenticated: true, user: userInfo(recognition.user), audiences: [...recognition.audiences] };
}

/** A user as the API shows one. */
export function userInfo({ name, uid, groups, extra = {} }: User): JsonObject {
  const keys = Object.keys(extra).sort();
  return {
    ...(name !== '' && { username: name }),
    ...(uid !== undefined && uid !== '' && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(keys.length > 0 && { extra: Object.fromEntries(keys.map((key) => [key, [...(extra[key] ?? [])]])) }),
  };
}
