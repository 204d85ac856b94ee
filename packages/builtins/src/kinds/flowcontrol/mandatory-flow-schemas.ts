import { invalid, type FieldError, type JsonObject } from '@flotilla/kube';
import { sameFields } from '../same-fields.ts';
import type { FlowRule } from './flow-rule.ts';
import type { FlowSchemaSpec } from './flow-schema.ts';

/** The two schemas that exist in every cluster and are immutable. */
const mandatorySpecs = new Map<string, FlowSchemaSpec>([
  [
    'exempt',
    {
      priorityLevelConfiguration: { name: 'exempt' },
      matchingPrecedence: 1,
      rules: [allRequestsBy('system:masters')],
    },
  ],
  [
    'catch-all',
    {
      priorityLevelConfiguration: { name: 'catch-all' },
      matchingPrecedence: 10_000,
      distinguisherMethod: { type: 'ByUser' },
      rules: [allRequestsBy('system:unauthenticated', 'system:authenticated')],
    },
  ],
]);

export function validateMandatoryFlowSchema(name: string, spec: FlowSchemaSpec): FieldError[] {
  const fixed = mandatorySpecs.get(name);
  if (fixed === undefined || sameFields(spec, fixed)) return [];
  return [invalid('spec', specInGo(spec), `spec of '${name}' must equal the fixed value`)];
}

function allRequestsBy(...groups: readonly string[]): FlowRule {
  const all = ['*'];
  return {
    subjects: groups.map((name) => ({ kind: 'Group', group: { name } })),
    resourceRules: [{ verbs: all, apiGroups: all, resources: all, clusterScope: true, namespaces: all }],
    nonResourceRules: [{ verbs: all, nonResourceURLs: all }],
  };
}

/** The spec as Go prints the struct in an error. */
function specInGo({
  priorityLevelConfiguration,
  matchingPrecedence,
  distinguisherMethod,
  rules,
}: FlowSchemaSpec): JsonObject {
  return {
    PriorityLevelConfiguration: { Name: priorityLevelConfiguration?.name ?? '' },
    MatchingPrecedence: matchingPrecedence ?? 0,
    DistinguisherMethod: distinguisherMethod === undefined ? null : { Type: distinguisherMethod.type ?? '' },
    Rules: rules === undefined ? null : rules.map(ruleInGo),
  };
}

function ruleInGo({ subjects, resourceRules, nonResourceRules }: FlowRule): JsonObject {
  const list = (values: readonly string[] | null | undefined) => (values ? [...values] : null);
  return {
    Subjects: (subjects ?? []).map(({ kind = '', user, group, serviceAccount }) => ({
      Kind: kind,
      User: user === undefined ? null : { Name: user.name ?? '' },
      Group: group === undefined ? null : { Name: group.name ?? '' },
      ServiceAccount:
        serviceAccount === undefined
          ? null
          : { Namespace: serviceAccount.namespace ?? '', Name: serviceAccount.name ?? '' },
    })),
    ResourceRules: (resourceRules ?? []).map((rule) => ({
      Verbs: list(rule.verbs),
      APIGroups: list(rule.apiGroups),
      Resources: list(rule.resources),
      ClusterScope: rule.clusterScope ?? false,
      Namespaces: list(rule.namespaces),
    })),
    NonResourceRules: (nonResourceRules ?? []).map((rule) => ({
      Verbs: list(rule.verbs),
      NonResourceURLs: list(rule.nonResourceURLs),
    })),
  };
}
