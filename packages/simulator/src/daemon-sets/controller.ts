import { jsonEquals, labelSelectorFrom, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { itself, type Cache, type Controller } from '@flotilla/runtime';
import { kinds, type Node } from '../kinds.ts';
import { claimable, concernsController, controlledBy, controllerIndex } from '../ownership/controller-of.ts';
import { concernsRevision } from '../revisions/controller-revision.ts';
import { decideDaemonSet, type DaemonSetState } from './decide-daemon-set.ts';
import { FailedPods } from './failed-pods.ts';
import { nodeFitOf } from './node-fit.ts';

/** Each cluster needs its own: it remembers failures. */
export function daemonSetController(): Controller<DaemonSetState> {
  const failedPods = new FailedPods();
  return {
    name: 'daemonset-controller',
    fieldManager: 'kube-controller-manager',
    watches: [
      { kind: kinds.daemonSet, concerns: itself },
      { kind: kinds.pod, concerns: concernsController(kinds.daemonSet, adopters), indexes: controllerIndex },
      {
        kind: kinds.controllerRevision,
        concerns: concernsRevision(kinds.daemonSet, adopters),
        indexes: controllerIndex,
      },
      { kind: kinds.node, concerns: concernsNode },
    ],
    observe: (key, cache) => {
      const set = cache.get(kinds.daemonSet, key);
      if (set === undefined) {
        failedPods.forget(key);
        return undefined;
      }
      const { namespace } = key;
      return {
        set,
        selector: labelSelectorFrom(set.spec?.selector),
        candidates: claimable(set, kinds.pod, cache),
        nodes: cache.list(kinds.node),
        revisions: claimable(set, kinds.controllerRevision, cache),
        findRevision: (name) => cache.get(kinds.controllerRevision, { namespace, name }),
        failures: failedPods.count(key, set, controlledBy(set, kinds.pod, cache)),
        hasPod: (name) => cache.get(kinds.pod, { namespace, name }) !== undefined,
      };
    },
    decide: decideDaemonSet,
  };
}

/** The sets that must create or delete a pod on the node, or that have pods where they should not be. */
function concernsNode(now: KubeObject | undefined, old: KubeObject | undefined, cache: Cache): ObjectKey[] {
  // When a node is gone, its pods follow, and their deletion concerns the sets.
  if (now === undefined || isSameForPods(now, old)) return [];
  return cache
    .list(kinds.daemonSet)
    .filter((set) => {
      const { shouldRun, mayStay } = nodeFitOf(set)(now);
      const isThere = controlledBy(set, kinds.pod, cache).some(({ spec }) => spec?.nodeName === now.metadata.name);
      const hasMisplaced = (set.status?.numberMisscheduled ?? 0) > 0;
      return isThere ? !mayStay || hasMisplaced : shouldRun;
    })
    .flatMap((set) => itself(set, undefined));
}

/** Heartbeats and conditions of nodes concern no DaemonSet. */
function isSameForPods(now: KubeObject, old: KubeObject | undefined): boolean {
  const relevant = ({ metadata, spec }: Readonly<Node>) => [metadata.labels ?? {}, spec?.taints ?? []];
  return old !== undefined && jsonEquals(relevant(now), relevant(old));
}

function adopters(orphan: KubeObject, cache: Cache): ObjectKey[] {
  return cache
    .list(kinds.daemonSet, { namespace: orphan.metadata.namespace })
    .filter(({ spec }) => labelSelectorFrom(spec?.selector).matches(orphan.metadata.labels))
    .flatMap((set) => itself(set, undefined));
}
