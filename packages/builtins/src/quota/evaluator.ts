/** How quotas count the objects of a resource: a row for each resource that has more than a number of objects to count. */
import type { KubeObject } from '@flotilla/kube';
import type { ScopeRequirement } from '../kinds/core/resource-quota.ts';
import { one, type Amounts } from './amounts.ts';
import { deviceClaimEvaluator } from './device-claim-usage.ts';
import { podEvaluator } from './pod-evaluator.ts';
import { serviceEvaluator } from './service-usage.ts';
import { volumeClaimEvaluator } from './volume-claim-usage.ts';

export interface QuotaEvaluator {
  /** Whether the write can increase usage. */
  readonly isCounted: (write: CountedWrite) => boolean;
  /** Those of the names that count objects of this resource. */
  readonly matchingNames: (names: ResourceNames, context: UsageContext) => string[];
  /** Absent: objects of this resource match no scope. */
  readonly matchesScope?: (requirement: ScopeRequirement, object: KubeObject) => boolean;
  /** What a quota for these names demands of the object and it does not say; undefined if nothing. */
  readonly omission?: (names: readonly string[], object: KubeObject) => string | undefined;
  readonly usageOf: (object: KubeObject, context: UsageContext) => Amounts;
  /** Whether every object counts as one, whatever it contains. */
  readonly isPlainCount?: boolean;
}

/** Names of resources: a Set, or a Map by name. A quota may have tens of thousands. */
export type ResourceNames = Pick<ReadonlySet<string>, 'has' | 'keys'>;

export interface CountedWrite {
  readonly operation: string;
  readonly subresource: string;
  readonly object: KubeObject;
  /** Undefined for a create. */
  readonly old: KubeObject | undefined;
}

/** What the usage of an object depends on beside the object. */
export interface UsageContext {
  readonly now: Date;
  readonly deviceClasses: () => Iterable<KubeObject>;
  /** In the namespace of the counted object. */
  readonly pod: (name: string) => KubeObject | undefined;
  readonly deviceClaims: () => Iterable<KubeObject>;
}

const evaluators: ReadonlyMap<string, QuotaEvaluator> = new Map([
  ['pods', podEvaluator],
  ['services', serviceEvaluator],
  ['persistentvolumeclaims', volumeClaimEvaluator],
  ['resourceclaims.resource.k8s.io', deviceClaimEvaluator],
  ...['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'].map(
    (plural) => [plural, objectCounter(plural, plural)] as const,
  ),
]);

/** Resources that no quota counts: events, and those that are never stored. */
const ignored: ReadonlySet<string> = new Set([
  'bindings',
  'componentstatuses',
  'events',
  'events.events.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'selfsubjectreviews.authentication.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
]);

/** The resource is `plural` or `plural.group`. Undefined if no quota counts it. */
export function quotaEvaluatorOf(resource: string): QuotaEvaluator | undefined {
  return evaluators.get(resource) ?? (ignored.has(resource) ? undefined : objectCounter(resource));
}

function objectCounter(resource: string, alias?: string): QuotaEvaluator {
  const names = [`count/${resource}`, ...(alias === undefined ? [] : [alias])];
  const usage: Amounts = new Map(names.map((name) => [name, one]));
  return {
    isCounted: ({ operation, subresource }) => operation === 'CREATE' && subresource === '',
    matchingNames: (quotaNames) => names.filter((name) => quotaNames.has(name)),
    usageOf: () => usage,
    isPlainCount: true,
  };
}
