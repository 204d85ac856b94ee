import { previousBindingStateAnnotation, bindingFinalizer, type Binding, type BindingState } from '@flotilla/api';
import type { ClassifiedBindings } from './classified-bindings.ts';
import { selectedDecision, type Score } from './decisions.ts';
import type { BindingChange, CreatedBinding, PatchedBinding, UnscheduledBinding } from './outcome.ts';

/** A cluster that the policy chooses. PickFixed gives no scores. */
export interface Choice {
  readonly cluster: string;
  readonly score?: Score;
}

export interface CrossReference {
  readonly created: readonly CreatedBinding[];
  readonly patched: readonly PatchedBinding[];
  readonly unscheduled: readonly UnscheduledBinding[];
}

/** What every decision does first: it lets go of bindings that are being deleted, and of clusters that are gone. */
export function clearedBindings({ deleting, dangling }: ClassifiedBindings): BindingChange[] {
  return [
    ...deleting
      .filter(({ metadata }) => metadata.finalizers?.includes(bindingFinalizer))
      .map((binding) => ({ type: 'release', binding }) as const),
    ...dangling.map(unschedule),
  ];
}

export function unschedule(binding: Readonly<Binding>): UnscheduledBinding {
  return { type: 'unschedule', binding };
}

/**
 * Turns chosen clusters, none of which has a binding of this snapshot, into changes of bindings. One binding of a cluster is taken over,
 * of an earlier snapshot before one that was given up. Other bindings of earlier snapshots are given up.
 */
export function crossReference(
  choices: readonly Choice[],
  { deleting, obsolete, unscheduled }: ClassifiedBindings,
  policySnapshotName: string,
): CrossReference {
  const chosen = new Map(choices.map((choice) => [choice.cluster, choice]));
  const patched = new Map<string, PatchedBinding>();
  const givenUp: UnscheduledBinding[] = [];
  const takeOver = (binding: Readonly<Binding>, state: BindingState, isRestored: boolean): boolean => {
    const { targetCluster } = binding.spec;
    const choice = chosen.get(targetCluster);
    if (choice === undefined || patched.has(targetCluster)) return false;
    const clusterDecision = selectedDecision(targetCluster, choice.score);
    const spec = { state, schedulingPolicySnapshotName: policySnapshotName, clusterDecision };
    patched.set(targetCluster, { type: 'patch', binding, spec, isRestored });
    return true;
  };
  for (const binding of obsolete) {
    if (!takeOver(binding, binding.spec.state, false)) givenUp.push(unschedule(binding));
  }
  for (const binding of unscheduled) takeOver(binding, previousState(binding), true);
  const leftBehind = new Map(deleting.map((binding) => [binding.spec.targetCluster, binding]));
  const created = choices
    .filter(({ cluster }) => !patched.has(cluster))
    .map((choice) => createBinding(choice, leftBehind.get(choice.cluster), policySnapshotName));
  return { created, patched: [...patched.values()], unscheduled: givenUp };
}

/** The order keeps resources on clusters that are chosen before it takes them from others. */
export function inWritingOrder({ created, patched, unscheduled }: CrossReference): BindingChange[] {
  return [...created, ...patched, ...unscheduled];
}

function createBinding(
  { cluster, score }: Choice,
  replaces: Readonly<Binding> | undefined,
  policySnapshotName: string,
): CreatedBinding {
  return {
    type: 'create',
    cluster,
    spec: {
      state: 'Scheduled',
      resourceSnapshotName: '',
      schedulingPolicySnapshotName: policySnapshotName,
      targetCluster: cluster,
      clusterDecision: selectedDecision(cluster, score),
    },
    ...(replaces && { replaces }),
  };
}

/** Scheduled where the annotation is missing: the rollout binds it then. KubeFleet stops there. */
function previousState({ metadata: { annotations = {} } }: Readonly<Binding>): BindingState {
  const isBound = Object.hasOwn(annotations, previousBindingStateAnnotation);
  return isBound && annotations[previousBindingStateAnnotation] === 'Bound' ? 'Bound' : 'Scheduled';
}
