import {
  labelSelectorFrom,
  labelSelectorFromLabels,
  type Kind,
  type KubeObject,
  type LabelSelector,
} from '@flotilla/kube';
import { itself, type Cache, type Controller } from '@flotilla/runtime';
import { kinds, type Pod, type ReplicaSet } from '../kinds.ts';
import {
  claimable,
  concernsController,
  controlledBy,
  controllerIndex,
  controllerOf,
} from '../ownership/controller-of.ts';
import { isActive } from '../pods/pod-state.ts';
import { decideReplicas, type Replicas } from './decide-replicas.ts';

/** The two kinds that keep a number of equal pods. */
interface Replicating {
  readonly kind: Kind<ReplicaSet>;
  readonly name: string;
  readonly selectorOf: (object: Readonly<ReplicaSet>) => LabelSelector;
  /** Whether its status counts pods that are being deleted. */
  readonly countsTerminating: boolean;
}

const replicaSets: Replicating = {
  kind: kinds.replicaSet,
  name: 'replicaset-controller',
  selectorOf: ({ spec }) => labelSelectorFrom(spec?.selector),
  countsTerminating: true,
};

const replicationControllers: Replicating = {
  kind: kinds.replicationController,
  name: 'replication-controller',
  selectorOf: ({ spec }) => labelSelectorFromLabels(spec?.selector as Record<string, string> | undefined),
  countsTerminating: false,
};

export const replicaSetController = replicating(replicaSets);
export const replicationController = replicating(replicationControllers);

function replicating(row: Replicating): Controller<Replicas> {
  const { kind, name, selectorOf } = row;
  const adopters = (orphan: KubeObject, cache: Cache) =>
    cache
      .list(kind, { namespace: orphan.metadata.namespace })
      .filter((set) => selectorOf(set).matches(orphan.metadata.labels))
      .flatMap((set) => itself(set, undefined));
  return {
    name,
    fieldManager: 'kube-controller-manager',
    workers: 5,
    watches: [
      { kind, concerns: itself, indexes: controllerIndex },
      { kind: kinds.pod, concerns: concernsController(kind, adopters), indexes: controllerIndex },
    ],
    observe: (key, cache) => {
      const set = cache.get(kind, key);
      if (set === undefined) return undefined;
      const candidates = claimable(set, kinds.pod, cache);
      const { countsTerminating } = row;
      return {
        kind,
        set,
        selector: selectorOf(set),
        candidates,
        related: mayDelete(set, candidates) ? relatedPods(set, kind, cache) : [],
        countsTerminating,
        isTaken: (name) => cache.get(kinds.pod, { namespace: key.namespace, name }) !== undefined,
      };
    },
    decide: decideReplicas,
  };
}

/** Only a deletion needs to know the related pods. */
function mayDelete({ spec }: Readonly<ReplicaSet>, candidates: readonly Readonly<Pod>[]): boolean {
  return candidates.filter(isActive).length > (spec?.replicas ?? 1);
}

/** The pods of all sets with the same owner: of the other revisions of a Deployment too. */
function relatedPods(set: Readonly<ReplicaSet>, kind: Kind<ReplicaSet>, cache: Cache): readonly Readonly<Pod>[] {
  const owner = controllerOf(set);
  if (owner === undefined) return controlledBy(set, kinds.pod, cache);
  const sets = controlledBy({ ...set, metadata: { uid: owner.uid } }, kind, cache);
  return sets.flatMap((related) => controlledBy(related, kinds.pod, cache));
}
