import { apiErrors, wireTime, type ApiResponse, type KubeObject } from '@flotilla/kube';
import type { Call } from '../../../call/call.ts';
import { objectRepresentation, objectResponse } from '../../../representation/represent.ts';
import { userOf } from '../../../request/caller.ts';
import { readReview } from './read-review.ts';
import { userInfo } from './token-review.ts';

/** Who am I? */
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
