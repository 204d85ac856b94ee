/** The fields of admission policies and their bindings that admission reads. They were validated when they were written. */
import { admissionEnvironment } from '@flotilla/cel';
import type { JsonObject, KubeObject, LabelSelectorObject } from '@flotilla/kube';
import { MatchConditions, type MatchCondition } from '../matching/match-conditions.ts';
import type { AdmissionRule } from '../matching/rules.ts';
import { MatchCriteria } from '../matching/match-criteria.ts';

export interface MatchResources {
  readonly resourceRules?: readonly AdmissionRule[];
  readonly excludeResourceRules?: readonly AdmissionRule[];
  readonly namespaceSelector?: LabelSelectorObject;
  readonly objectSelector?: LabelSelectorObject;
  readonly matchPolicy?: string;
}

export interface ParamKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelectorObject;
  readonly parameterNotFoundAction?: string;
}

export interface PolicySpec {
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResources;
  readonly matchConditions?: readonly MatchCondition[];
  readonly variables?: readonly { readonly name?: string; readonly expression?: string }[];
  readonly failurePolicy?: string;
}

export interface BindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
  readonly validationActions?: readonly string[];
}

/** The fields below `spec`. The caller knows the kind. */
export function specOf(object: KubeObject): JsonObject {
  return (object['spec'] ?? {}) as JsonObject;
}

/** Without rules, a policy or binding applies to everything. */
export function criteriaOf(match: MatchResources): MatchCriteria {
  const { resourceRules = [], excludeResourceRules, namespaceSelector, objectSelector, matchPolicy } = match;
  return new MatchCriteria({
    rules: resourceRules.length === 0 ? undefined : resourceRules,
    excludedRules: excludeResourceRules,
    namespaceSelector,
    objectSelector,
    matchPolicy,
  });
}

/** Match conditions of a policy may read its parameters. */
export function matchConditionsOf({ matchConditions = [], failurePolicy, paramKind }: PolicySpec): MatchConditions {
  const hasParams = paramKind !== undefined;
  return new MatchConditions(matchConditions, failurePolicy, () =>
    admissionEnvironment({ hasParams, hasAuthorizer: true }),
  );
}
