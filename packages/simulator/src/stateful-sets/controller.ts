import { labelSelectorFrom, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { itself, type Cache, type Controller } from '@flotilla/runtime';
import { kinds } from '../kinds.ts';
import { claimable, concernsController, controllerIndex } from '../ownership/controller-of.ts';
import { concernsRevision } from '../revisions/controller-revision.ts';
import { setsWithClaim } from './claims.ts';
import { decideStatefulSet, type StatefulSetState } from './decide-stateful-set.ts';
import { parseNumberedName } from './identity.ts';

const concernsOwner = concernsController(kinds.statefulSet);

export const statefulSetController: Controller<StatefulSetState> = {
  name: 'statefulset-controller',
  fieldManager: 'kube-controller-manager',
  watches: [
    { kind: kinds.statefulSet, concerns: itself },
    {
      kind: kinds.pod,
      concerns: (now, old, cache) => [...concernsOwner(now, old, cache), ...concernsNamed(now ?? old, cache)],
      indexes: controllerIndex,
    },
    {
      kind: kinds.controllerRevision,
      concerns: concernsRevision(kinds.statefulSet, adopters),
      indexes: controllerIndex,
    },
    { kind: kinds.volumeClaim, concerns: (now, old, cache) => setsWithClaim((now ?? old) as KubeObject, cache) },
  ],
  observe: (key, cache) => {
    const set = cache.get(kinds.statefulSet, key);
    if (set === undefined) return undefined;
    const { namespace } = key;
    return {
      set,
      selector: labelSelectorFrom(set.spec?.selector),
      candidates: claimable(set, kinds.pod, cache),
      revisions: claimable(set, kinds.controllerRevision, cache),
      findRevision: (name) => cache.get(kinds.controllerRevision, { namespace, name }),
      findClaim: (name) => cache.get(kinds.volumeClaim, { namespace, name }),
      hasPod: (name) => cache.get(kinds.pod, { namespace, name }) !== undefined,
    };
  },
  decide: decideStatefulSet,
};

/** The set that a pod has its name from: it adopts the pod, or waits until the name is free. */
function concernsNamed(pod: KubeObject | undefined, cache: Cache): ObjectKey[] {
  const parsed = parseNumberedName(pod?.metadata.name ?? '');
  if (parsed === undefined) return [];
  const key = { namespace: pod?.metadata.namespace, name: parsed.stem };
  return cache.get(kinds.statefulSet, key) === undefined ? [] : [key];
}

function adopters(orphan: KubeObject, cache: Cache): ObjectKey[] {
  return cache
    .list(kinds.statefulSet, { namespace: orphan.metadata.namespace })
    .filter(({ spec }) => labelSelectorFrom(spec?.selector).matches(orphan.metadata.labels))
    .flatMap((set) => itself(set, undefined));
}
