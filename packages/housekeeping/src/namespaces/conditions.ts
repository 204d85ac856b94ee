import { formatTime, type NamespaceCondition } from '@flotilla/kube';

/** The result of a pass over a terminating namespace, as its conditions report it. */
export interface Findings {
  readonly discoveryFailure?: string;
  /** One sentence for each kind whose objects could not all be deleted. */
  readonly deletionFailures: readonly string[];
  /** By `plural.group`. */
  readonly remaining: ReadonlyMap<string, number>;
  readonly finalizers: ReadonlyMap<string, number>;
}

interface Verdict {
  readonly reason: string;
  readonly message: string;
}

interface ConditionKind {
  readonly type: string;
  readonly ok: Verdict;
  readonly failure: (findings: Findings) => Verdict | undefined;
}

/** The conditions of a namespace that is deleted, in the order in which they appear. True means a problem. */
const conditionKinds: readonly ConditionKind[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    ok: { reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' },
    failure: ({ discoveryFailure: message }) =>
      message === undefined ? undefined : { reason: 'DiscoveryFailed', message },
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    ok: { reason: 'ParsedGroupVersions', message: 'All legacy kube types successfully parsed' },
    // Our discovery has groups and versions apart, so nothing is parsed.
    failure: () => undefined,
  },
  {
    type: 'NamespaceDeletionContentFailure',
    ok: { reason: 'ContentDeleted', message: 'All content successfully deleted, may be waiting on finalization' },
    failure: ({ deletionFailures: { length }, deletionFailures }) =>
      length === 0
        ? undefined
        : {
            reason: 'ContentDeletionFailed',
            message: `Failed to delete all resource types, ${length} remaining: ${deletionFailures.toSorted().join(', ')}`,
          },
  },
  {
    type: 'NamespaceContentRemaining',
    ok: { reason: 'ContentRemoved', message: 'All content successfully removed' },
    failure: ({ remaining }) =>
      remaining.size === 0
        ? undefined
        : {
            reason: 'SomeResourcesRemain',
            message: `Some resources are remaining: ${counted(remaining, 'has')}`,
          },
  },
  {
    type: 'NamespaceFinalizersRemaining',
    ok: { reason: 'ContentHasNoFinalizers', message: 'All content-preserving finalizers finished' },
    failure: ({ finalizers }) =>
      finalizers.size === 0
        ? undefined
        : {
            reason: 'SomeFinalizersRemain',
            message: `Some content in the namespace has finalizers remaining: ${counted(finalizers, 'in')}`,
          },
  },
];

function counted(counts: ReadonlyMap<string, number>, word: string): string {
  return [...counts]
    .map(([name, count]) => `${name} ${word} ${count} resource instances`)
    .toSorted()
    .join(', ');
}

/** Returns undefined if no condition changes. */
export function conditionsAfter(
  before: readonly NamespaceCondition[],
  findings: Findings,
  now: Date,
): NamespaceCondition[] | undefined {
  const after = [...before];
  let hasChanged = false;
  for (const { type, ok, failure } of conditionKinds) {
    const failed = failure(findings);
    const { reason, message } = failed ?? ok;
    const status = failed ? 'True' : 'False';
    const at = after.findIndex((condition) => condition.type === type);
    const old = after[at];
    if (old?.status === status && old.reason === reason && old.message === message) continue;
    hasChanged = true;
    const lastTransitionTime =
      old?.status === status && old.lastTransitionTime !== undefined ? old.lastTransitionTime : formatTime(now);
    after[at < 0 ? after.length : at] = { type, status, lastTransitionTime, reason, message };
  }
  return hasChanged ? after : undefined;
}
