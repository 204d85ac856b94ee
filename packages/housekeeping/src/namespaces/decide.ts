import {
  apiVersionOf,
  foregroundFinalizer,
  namespaceFinalizer,
  orphanFinalizer,
  type Kind,
  type Namespace,
  type ObjectKey,
} from '@flotilla/kube';
import type { Outlined } from '@flotilla/runtime';
import { conditionsAfter, type Findings } from './conditions.ts';

/** The objects of one kind that a namespace still has. */
export interface Remains {
  readonly kind: Kind;
  readonly items: readonly Outlined[];
  /** The longest grace period of its objects. */
  readonly graceSeconds: number;
}

export interface Deletion {
  readonly kind: Kind;
  readonly key: ObjectKey;
  readonly uid: string;
}

/** Whether a namespace is terminating and still has finalizers in its spec. */
export function shouldEmpty({ metadata, spec }: Namespace): boolean {
  return metadata.deletionTimestamp !== undefined && (spec?.finalizers?.length ?? 0) > 0;
}

export function isPods({ kind: { plural, group } }: Remains): boolean {
  return plural === 'pods' && group === '';
}

/** Pods are deleted first: a running pod keeps the objects that it uses. */
export function dueNow(content: readonly Remains[]): readonly Remains[] {
  const pods = content.filter((remains) => isPods(remains) && remains.items.length > 0);
  return pods.length > 0 ? pods : content;
}

/** Skips objects that are being deleted, except those that wait for dependents: these are deleted as well. */
export function deletionsIn(content: readonly Remains[]): Deletion[] {
  return content.flatMap(({ kind, items }) =>
    items
      .filter(({ outline }) => outline.deletionTimestamp === undefined || outline.finalizers?.some(concernsDependents))
      .map(({ key, outline: { uid } }) => ({ kind, key, uid })),
  );
}

function concernsDependents(name: string): boolean {
  return name === orphanFinalizer || name === foregroundFinalizer;
}

export interface Outcome {
  /** What remains after the deletions. */
  readonly content: readonly Remains[];
  /** The first failed deletion of each kind. */
  readonly failures: ReadonlyMap<Kind, Error>;
  readonly discoveryFailure?: string;
}

export interface Report {
  /** The namespace with new conditions, if they changed. */
  readonly status?: Namespace;
  /** The namespace without our finalizer, if nothing remains. */
  readonly finalized?: Namespace;
  readonly hasFailed: boolean;
  readonly requeueAfterMs?: number;
}

/** Kubernetes' estimate for content with finalizers. Usually a watch event arrives earlier. */
const finalizerEstimateSeconds = 15;

/** Decides the conditions of a namespace, and whether its finalizer can be removed. */
export function report(namespace: Namespace, { content, failures, discoveryFailure }: Outcome, now: Date): Report {
  const passed = (now.getTime() - Date.parse(namespace.metadata.deletionTimestamp ?? '')) / 1000;
  const left = content.filter(({ items }) => items.length > 0);
  const estimates = left.map((remains) => estimateOf(remains, passed));
  const estimate = Math.max(0, ...estimates);
  const unexpected = left
    .filter((remains, at) => estimates[at] === 0 && !failures.has(remains.kind))
    .map(({ kind }) => unexpectedItems(namespace, kind));
  const deletionFailures = [...[...failures.values()].map(({ message }) => message), ...unexpected];
  const findings = { ...(discoveryFailure !== undefined && { discoveryFailure }), deletionFailures };
  const hasFailed = deletionFailures.length > 0 || discoveryFailure !== undefined;
  // While pods remain, Kubernetes counts no content, not even the pods.
  const isCounted = !left.some(isPods);
  const status = withConditions(namespace, { ...findings, ...(isCounted ? totals(left) : noTotals) }, now);
  return {
    ...(status && { status }),
    ...(left.length === 0 && !hasFailed && { finalized: withoutFinalizer(status ?? namespace) }),
    hasFailed,
    ...(estimate > 0 && { requeueAfterMs: (Math.floor(estimate / 2) + 1) * 1000 }),
  };
}

/** Seconds until the content should be gone; 0 if nothing explains why it remains. */
function estimateOf({ items, graceSeconds }: Remains, passedSeconds: number): number {
  if (graceSeconds > passedSeconds) return graceSeconds;
  return items.some(({ outline }) => outline.finalizers?.length) ? finalizerEstimateSeconds : 0;
}

function unexpectedItems({ metadata: { name = '' } }: Namespace, kind: Kind): string {
  const version = kind.group === '' ? `/${kind.version}` : apiVersionOf(kind);
  return `unexpected items still remain in namespace: ${name} for gvr: ${version}, Resource=${kind.plural}`;
}

const noTotals: Pick<Findings, 'remaining' | 'finalizers'> = { remaining: new Map(), finalizers: new Map() };

function totals(content: readonly Remains[]): Pick<Findings, 'remaining' | 'finalizers'> {
  const remaining = new Map(content.map(({ kind, items }) => [`${kind.plural}.${kind.group}`, items.length]));
  const finalizers = new Map<string, number>();
  for (const { outline } of content.flatMap(({ items }) => items)) {
    for (const name of outline.finalizers ?? []) finalizers.set(name, (finalizers.get(name) ?? 0) + 1);
  }
  return { remaining, finalizers };
}

function withConditions(namespace: Namespace, findings: Findings, now: Date): Namespace | undefined {
  const conditions = conditionsAfter(namespace.status?.conditions ?? [], findings, now);
  return conditions && { ...namespace, status: { ...namespace.status, conditions } };
}

function withoutFinalizer(namespace: Namespace): Namespace {
  const finalizers = (namespace.spec?.finalizers ?? []).filter((name) => name !== namespaceFinalizer).toSorted();
  return { ...namespace, spec: { ...namespace.spec, finalizers } };
}
