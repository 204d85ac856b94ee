import type { PolicyRule } from '@flotilla/builtins';
import { aggregate, apiErrors, type ApiResponse, type JsonObject } from '@flotilla/kube';
import type { Call } from '../../../call/call.ts';
import { objectRepresentation, objectResponse } from '../../../representation/represent.ts';
import { userOf } from '../../../request/caller.ts';
import { missingRole } from '../../../access/rbac/binding.ts';
import { readReview } from './read-review.ts';

/** SelfSubjectRulesReview: returns the caller's rules in a namespace, for `kubectl auth can-i --list`. */
export async function reviewRules(call: Call): Promise<ApiResponse> {
  const representation = objectRepresentation(call);
  const { kind, apiVersion, spec } = await readReview(call);
  const { namespace = '' } = (spec ?? {}) as { readonly namespace?: string };
  if (namespace === '') throw apiErrors.badRequest('no namespace on request');
  const { access } = call.server;
  const rules = access.rulesOf(userOf(call), namespace);
  const missing = access.missingRoles(userOf(call), namespace);
  const status: JsonObject = {
    resourceRules: rules.filter(({ resources }) => resources?.length).map(resourceRule),
    nonResourceRules: rules.filter(({ nonResourceURLs }) => nonResourceURLs?.length).map(pathRule),
    incomplete: false,
    ...(missing.length > 0 && { evaluationError: aggregate(missing.map(missingRole)) }),
  };
  // Kubernetes does not return the spec.
  return objectResponse(call, 201, { kind, apiVersion, metadata: {}, spec: {}, status }, representation);
}

function resourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule): JsonObject {
  return {
    verbs: [...(verbs ?? [])],
    ...(apiGroups?.length && { apiGroups: [...apiGroups] }),
    ...(resources?.length && { resources: [...resources] }),
    ...(resourceNames?.length && { resourceNames: [...resourceNames] }),
  };
}

function pathRule({ verbs, nonResourceURLs = [] }: PolicyRule): JsonObject {
  return { verbs: [...(verbs ?? [])], nonResourceURLs: [...nonResourceURLs] };
}
