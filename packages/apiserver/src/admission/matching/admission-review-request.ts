/** The request of an AdmissionReview: webhooks receive it, and expressions read it as `request`. */
import type { GroupVersionKind, JsonObject, User } from '@flotilla/kube';
import type { DeleteOptions } from '../../request/delete-options.ts';
import type { WriteOptions } from '../../request/write-options.ts';
import type { Resource } from '../../resources/resource.ts';
import type { Attributes } from '../admission.ts';
import type { MatchedResource } from './match-criteria.ts';
import { kindOf, namespaceOf } from './requested-object.ts';

/** Without uid, object and oldObject. */
export function reviewRequest(attributes: Attributes, matched: MatchedResource): JsonObject {
  const { resource, subresource, name, operation, user, dryRun } = attributes;
  const namespace = namespaceOf(attributes);
  const options = optionsOf(attributes);
  return {
    kind: kindJson(matched.kind),
    resource: resourceJson(matched.resource),
    ...(subresource && { subResource: subresource }),
    requestKind: kindJson(kindOf(resource, subresource)),
    requestResource: resourceJson(resource),
    ...(subresource && { requestSubResource: subresource }),
    ...(name && { name }),
    ...(namespace && { namespace }),
    operation,
    userInfo: userJson(user),
    dryRun,
    options: options ?? null,
  };
}

function kindJson({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, version, kind };
}

function resourceJson({ group, version, plural }: Resource): JsonObject {
  return { group, version, resource: plural };
}

function userJson({ name, uid, groups, extra }: User): JsonObject {
  return {
    ...(name && { username: name }),
    ...(uid && { uid }),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(extra && Object.keys(extra).length > 0 && { extra: extraJson(extra) }),
  };
}

function extraJson(extra: NonNullable<User['extra']>): JsonObject {
  return Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
}

/** A connection has no options. */
function optionsOf({ operation, options, dryRun }: Attributes): JsonObject | undefined {
  if (options === undefined) return undefined;
  const dry = dryRun && { dryRun: ['All'] };
  if (operation === 'DELETE') return { ...named('DeleteOptions'), ...deleteJson(options as DeleteOptions), ...dry };
  const { fieldManager, requestedValidation } = options as WriteOptions;
  return {
    ...named(operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions'),
    ...dry,
    ...(fieldManager && { fieldManager }),
    ...(requestedValidation && { fieldValidation: requestedValidation }),
  };
}

function named(kind: string): JsonObject {
  return { kind, apiVersion: 'meta.k8s.io/v1' };
}

function deleteJson(options: DeleteOptions): JsonObject {
  const { gracePeriodSeconds, uid, resourceVersion, orphanDependents, propagationPolicy } = options;
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...((uid !== undefined || resourceVersion !== undefined) && {
      preconditions: { ...(uid !== undefined && { uid }), ...(resourceVersion !== undefined && { resourceVersion }) },
    }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
  };
}
