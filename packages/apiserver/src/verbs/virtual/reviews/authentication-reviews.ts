import { apiErrors, wireTime, type ApiResponse, type JsonObject, type KubeObject, type User } from '@flotilla/kube';
import type { Call } from '../../../call/call.ts';
import { objectRepresentation, objectResponse } from '../../../representation/represent.ts';
import { userOf } from '../../../request/caller.ts';
import { readReview } from './read-review.ts';
import type { Recognition } from '../../../access/authentication/bearer-tokens.ts';

interface TokenReview extends KubeObject {
  spec: { token?: string; audiences?: string[] };
}

/** TokenReview: returns the user of a token. */
export async function reviewToken(call: Call): Promise<ApiResponse> {
  if (call.info.verb !== 'create') throw apiErrors.methodNotAllowed();
  const representation = objectRepresentation(call);
  const review = (await readReview(call)) as TokenReview;
  const { token = '', audiences = [] } = review.spec;
  if (token === '') throw apiErrors.badRequest('token is required for TokenReview in authentication');
  const recognition = await call.server.tokens.recognise(token, audiences.length > 0 ? audiences : undefined);
  return objectResponse(call, 201, { ...review, status: statusOf(recognition) }, representation);
}

function statusOf(recognition: Recognition): JsonObject {
  if ('refusal' in recognition) return { user: {}, error: recognition.refusal };
  return { authenticated: true, user: userInfo(recognition.user), audiences: [...recognition.audiences] };
}

/** SelfSubjectReview: returns the user of the request. */
export async function reviewSelf(call: Call): Promise<ApiResponse> {
  if (call.info.verb !== 'create') throw apiErrors.methodNotAllowed();
  const representation = objectRepresentation(call);
  const { kind, apiVersion } = await readReview(call);
  const answer: KubeObject = {
    kind,
    apiVersion,
    metadata: { creationTimestamp: wireTime(call.server.now()) },
    status: { userInfo: userInfo(userOf(call)) },
  };
  return objectResponse(call, 201, answer, representation);
}

function userInfo({ name, uid, groups, extra = {} }: User): JsonObject {
  const keys = Object.keys(extra).sort();
  return {
    ...(name !== '' && { username: name }),
    ...(uid !== undefined && uid !== '' && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(keys.length > 0 && { extra: Object.fromEntries(keys.map((key) => [key, [...(extra[key] ?? [])]])) }),
  };
}
