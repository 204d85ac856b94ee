import { accessReviewSpec, type AccessReviewSpec, type ResourceAttributes } from '@flotilla/builtins';
import type { ApiResponse, JsonObject, User } from '@flotilla/kube';
import type { Call } from '../../../call/call.ts';
import { objectRepresentation, objectResponse } from '../../../representation/represent.ts';
import { userOf } from '../../../request/caller.ts';
import type { Access } from '../../../access/authorizer.ts';
import { readReview } from './read-review.ts';
import { selectorFaults } from './selector-faults.ts';

/** SubjectAccessReview, LocalSubjectAccessReview and SelfSubjectAccessReview: returns whether the user may do what the spec says. */
export async function reviewAccess(call: Call): Promise<ApiResponse> {
  const representation = objectRepresentation(call);
  const review = await readReview(call);
  const spec = accessReviewSpec(review);
  const user = call.resource.kind === 'SelfSubjectAccessReview' ? userOf(call) : userFrom(spec);
  const { isAllowed, reason } = call.server.access.authorize(accessFrom(user, spec));
  const faults = selectorFaults(spec.resourceAttributes ?? {});
  const status: JsonObject = {
    allowed: isAllowed,
    ...(reason !== '' && { reason }),
    ...(faults.length > 0 && { evaluationError: faults.join('; ') }),
  };
  return objectResponse(call, 201, { ...review, status }, representation);
}

function userFrom({ user = '', groups = [], uid, extra }: AccessReviewSpec): User {
  return { name: user, groups, ...(uid !== undefined && { uid }), ...(extra && { extra }) };
}

function accessFrom(user: User, { resourceAttributes, nonResourceAttributes }: AccessReviewSpec): Access {
  if (resourceAttributes) return resourceAccess(user, resourceAttributes);
  const { path = '', verb = '' } = nonResourceAttributes ?? {};
  return { isResource: false, user, verb, path };
}

function resourceAccess(user: User, attributes: ResourceAttributes): Access {
  const {
    verb = '',
    group = '',
    version = '',
    resource = '',
    subresource = '',
    namespace = '',
    name = '',
  } = attributes;
  return { isResource: true, user, verb, group, version: version || '*', resource, subresource, namespace, name };
}
