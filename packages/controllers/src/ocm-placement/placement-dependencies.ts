/**
 * What the decisions of a Placement depend on, as values of an index over Placements. A change of a ManagedCluster is looked up there, so
 * that it wakes only the Placements that it can change.
 */
import type {
  ClusterPredicate,
  DecisionGroup,
  ManagedCluster,
  OcmPlacement,
  ScoreCoordinate,
  SpreadConstraint,
} from '@flotilla/api';
import { jsonEquals, type JsonValue } from '@flotilla/kube';
import type { Indexes } from '@flotilla/runtime';

type Cluster = Readonly<ManagedCluster>;
type Fact = 'label' | 'claim';

/** Values of the index. */
export const dependency = {
  /** On any change of a label or claim. */
  key: (fact: Fact, key: string) => `${fact}/${key}`,
  /** On whether the label or claim has this value. */
  value: (fact: Fact, key: string, value: string) => `${fact}/${key}=${value}`,
  /** Expressions read anything. */
  expression: 'expression',
  /** Expressions that read AddOnPlacementScores. */
  expressionWithScores: 'scores',
  resource: (name: string) => `resource/${name}`,
  score: (name: string) => `score/${name}`,
} as const;

export const dependencyIndex = 'cluster-dependencies';

/** For `indexes` of Placements. */
export const byDependency: Indexes = {
  [dependencyIndex]: (object) => dependenciesOf(object as OcmPlacement),
};

export function dependenciesOf({ spec }: Readonly<OcmPlacement>): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { requiredClusterSelector } of spec.predicates ?? []) addSelector(found, requiredClusterSelector ?? {});
  for (const { groupClusterSelector } of spec.decisionStrategy?.groupStrategy?.decisionGroups ?? []) {
    addSelector(found, groupClusterSelector);
  }
  for (const constraint of spec.spreadPolicy?.spreadConstraints ?? []) addConstraint(found, constraint);
  for (const { scoreCoordinate } of spec.prioritizerPolicy?.configurations ?? []) addScore(found, scoreCoordinate);
  return found;
}

type Selector = NonNullable<ClusterPredicate['requiredClusterSelector']> | DecisionGroup['groupClusterSelector'];

function addSelector(found: Set<string>, selector: Selector): void {
  const { labelSelector, claimSelector } = selector;
  for (const [key, value] of Object.entries(labelSelector?.matchLabels ?? {})) {
    found.add(dependency.value('label', key, value));
  }
  addExpressions(found, 'label', labelSelector?.matchExpressions ?? []);
  addExpressions(found, 'claim', claimSelector?.matchExpressions ?? []);
  const expressions = 'celSelector' in selector ? (selector.celSelector?.celExpressions ?? []) : [];
  if (expressions.length > 0) found.add(dependency.expression);
  if (expressions.some((text) => text.includes('scores'))) found.add(dependency.expressionWithScores);
}

interface Expression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** In and NotIn change with the values that they list, the others with the key. */
function addExpressions(found: Set<string>, fact: Fact, expressions: readonly Expression[]): void {
  for (const { key, operator, values = [] } of expressions) {
    if (operator === 'In' || operator === 'NotIn') {
      for (const value of values) found.add(dependency.value(fact, key, value));
    } else {
      found.add(dependency.key(fact, key));
    }
  }
}

function addConstraint(found: Set<string>, { topologyKey, topologyKeyType }: SpreadConstraint): void {
  found.add(dependency.key(topologyKeyType === 'Claim' ? 'claim' : 'label', topologyKey));
}

function addScore(found: Set<string>, { type, builtIn = '', addOn }: ScoreCoordinate): void {
  if (type === 'AddOn') found.add(dependency.score(addOn?.resourceName ?? ''));
  const resource = resources[builtIn];
  if (resource !== undefined) found.add(dependency.resource(resource));
}

const resources: Readonly<Record<string, string | undefined>> = {
  ResourceAllocatableCPU: 'cpu',
  ResourceAllocatableMemory: 'memory',
};

/** What changed between two states of a cluster that stays in its sets. */
export function changedDependencies(now: Cluster, old: Cluster): ReadonlySet<string> {
  const changed = new Set<string>();
  addFacts(changed, 'label', now.metadata.labels ?? {}, old.metadata.labels ?? {});
  addFacts(changed, 'claim', claimsOf(now), claimsOf(old));
  for (const resource of ['cpu', 'memory']) {
    if (!jsonEquals(amountsOf(now, resource), amountsOf(old, resource))) changed.add(dependency.resource(resource));
  }
  if (!jsonEquals(readByExpressions(now), readByExpressions(old))) changed.add(dependency.expression);
  return changed;
}

/** Taints concern every Placement. */
export function hasChangedTaints(now: Cluster, old: Cluster): boolean {
  return !jsonEquals(now.spec?.taints ?? [], old.spec?.taints ?? []);
}

type Facts = Readonly<Record<string, string>>;

function addFacts(changed: Set<string>, fact: Fact, now: Facts, old: Facts): void {
  for (const key of new Set([...Object.keys(now), ...Object.keys(old)])) {
    const value = Object.hasOwn(now, key) ? now[key] : undefined;
    const before = Object.hasOwn(old, key) ? old[key] : undefined;
    if (value === before) continue;
    changed.add(dependency.key(fact, key));
    if (value !== undefined) changed.add(dependency.value(fact, key, value));
    if (before !== undefined) changed.add(dependency.value(fact, key, before));
  }
}

function claimsOf({ status }: Cluster): Facts {
  return Object.fromEntries((status?.clusterClaims ?? []).map(({ name = '', value = '' }) => [name, value]));
}

function amountsOf({ status }: Cluster, resource: string): JsonValue {
  return [status?.allocatable?.[resource] ?? null, status?.capacity?.[resource] ?? null];
}

/** All but what changes with every write. */
function readByExpressions({ metadata, spec, status }: Cluster): JsonValue {
  const { resourceVersion: _version, managedFields: _fields, ...meta } = metadata;
  return [meta, spec ?? null, status ?? null];
}
