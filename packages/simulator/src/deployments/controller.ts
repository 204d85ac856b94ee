import { labelSelectorFrom, type KubeObject, type ObjectKey } from '@flotilla/kube';
import { itself, type Cache, type Controller } from '@flotilla/runtime';
import { podTemplateHash } from '../hash/pod-template-hash.ts';
import { kinds, type Deployment, type ReplicaSet } from '../kinds.ts';
import { claim } from '../ownership/claim.ts';
import {
  claimable,
  concernsController,
  controlledBy,
  controllerIndex,
  controllerOf,
} from '../ownership/controller-of.ts';
import { isFinished } from '../pods/pod-state.ts';
import { decideDeployment, type DeploymentState, type Proposal } from './decide-deployment.ts';
import { isRolling } from './limits.ts';
import { findNewSet, newSetName } from './new-replica-set.ts';
import { byAge } from './rollout.ts';

const concernsDeployment = concernsController(kinds.deployment, (orphan, cache) =>
  cache
    .list(kinds.deployment, { namespace: orphan.metadata.namespace })
    .filter(({ spec }) => labelSelectorFrom(spec?.selector).matches(orphan.metadata.labels))
    .flatMap((deployment) => itself(deployment, undefined)),
);

/** Creates a ReplicaSet for each template that a Deployment has had, and moves its pods from the old ones to the newest. */
export const deploymentController: Controller<DeploymentState> = {
  name: 'deployment-controller',
  fieldManager: 'kube-controller-manager',
  workers: 5,
  watches: [
    { kind: kinds.deployment, concerns: itself },
    { kind: kinds.replicaSet, concerns: concernsDeployment, indexes: controllerIndex },
    { kind: kinds.pod, concerns: recreatedBy, indexes: controllerIndex },
  ],
  observe: (key, cache) => {
    const deployment = cache.get(kinds.deployment, key);
    if (deployment === undefined) return undefined;
    const selector = labelSelectorFrom(deployment.spec?.selector);
    const candidates = claimable(deployment, kinds.replicaSet, cache);
    const { owned, writes } = claim(
      kinds.replicaSet,
      { kind: kinds.deployment, object: deployment, selector },
      candidates,
    );
    const sets = owned.toSorted(byAge);
    const newSet = findNewSet(deployment, sets);
    const oldSets = sets.filter((set) => set !== newSet);
    return {
      rollout: { deployment, newSet, oldSets },
      claims: writes,
      proposal: newSet === undefined ? proposalFor(deployment, cache) : undefined,
      hasOldPods: !isRolling(deployment) && oldSets.some((set) => hasPods(set, cache)),
    };
  },
  decide: decideDeployment,
};

function proposalFor(deployment: Readonly<Deployment>, cache: Cache): Proposal {
  const { namespace } = deployment.metadata;
  const hash = podTemplateHash(deployment.spec?.template, deployment.status?.collisionCount);
  const isTaken = cache.get(kinds.replicaSet, { namespace, name: newSetName(deployment, hash) }) !== undefined;
  return { hash, isTaken };
}

function hasPods(set: Readonly<ReplicaSet>, cache: Cache): boolean {
  return controlledBy(set, kinds.pod, cache).some((pod) => !isFinished(pod));
}

/** A Deployment with the strategy Recreate waits until its last old pod is gone. */
function recreatedBy(now: KubeObject | undefined, old: KubeObject | undefined, cache: Cache): ObjectKey[] {
  if (now !== undefined || old === undefined) return [];
  const { namespace } = old.metadata;
  const ofPod = controllerOf(old);
  if (ofPod?.kind !== kinds.replicaSet.kind) return [];
  const set = cache.get(kinds.replicaSet, { namespace, name: ofPod.name });
  const name = set && controllerOf(set)?.name;
  const deployment = name === undefined ? undefined : cache.get(kinds.deployment, { namespace, name });
  return deployment === undefined || isRolling(deployment) ? [] : itself(deployment, undefined);
}
