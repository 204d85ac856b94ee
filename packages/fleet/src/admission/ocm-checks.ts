/** The checks and defaults of OCM's kinds. OCM has them as webhooks, so refusals name these. */
import {
  clusterSetLabel,
  managedClusters,
  managedClusterSetBindings,
  memberClusters,
  type ManagedCluster,
  type ManagedClusterSetBinding,
} from '@flotilla/api';
import {
  admittedCluster,
  invalidBinding,
  invalidCluster,
  isNewlyAccepted,
  mirroredOwnerOf,
  refusedMirrorChange,
  refusedMirrorDeletion,
  rightsToJoin,
  rightToAccept,
  rightToBind,
  terminatingNamespace,
  type RequiredRight,
} from '@flotilla/controllers';
import { namespaces, quote, type Kind } from '@flotilla/kube';
import type { CheckedKind, FleetCheck, FleetRequest, Found, Outcome, Read, Refusal } from './fleet-check.ts';

const domain = 'admission.cluster.open-cluster-management.io';

const clusterDefaults: FleetCheck = {
  webhook: `managedclustermutators.${domain}`,
  phase: 'default',
  isGuard: false,
  kinds: [createOrUpdate(managedClusters)],
  condition: 'true',
  decide: ({ object, oldObject }, now) => {
    const admitted = object && admittedCluster(object, oldObject, now);
    return admitted && 'refusal' in admitted ? { ...admitted, code: 400 } : admitted;
  },
};

const clusterChecks: FleetCheck = {
  webhook: `managedclustervalidators.${domain}`,
  phase: 'check',
  isGuard: false,
  kinds: [createOrUpdate(managedClusters)],
  condition: 'true',
  decide: (request) => {
    const [now, old] = [request.object as ManagedCluster, request.oldObject];
    const problem = invalidCluster(now);
    if (problem !== undefined) return { refusal: problem, code: 400 };
    const isAccepted = isNewlyAccepted(now, old);
    const { name: user } = request.user;
    const name = now.metadata.name ?? '';
    const rights = [...(isAccepted ? [rightToAccept(name, user)] : []), ...rightsToJoin(now, old, user)];
    return isAccepted ? ifNotTerminating(name, requiring(request, rights)) : requiring(request, rights);
  },
};

/** The set of a member is that of its mirror, so that it takes the same rights. */
const memberSetChecks: FleetCheck = {
  webhook: 'fleet.membercluster.clusterset',
  phase: 'check',
  isGuard: false,
  kinds: [createOrUpdate(memberClusters)],
  condition: `${hasSetLabel('object')} || (oldObject != null && ${hasSetLabel('oldObject')})`,
  decide: (request) =>
    request.object && requiring(request, rightsToJoin(request.object, request.oldObject, request.user.name)),
};

const bindingChecks: FleetCheck = {
  webhook: `managedclustersetbindingvalidators.${domain}`,
  phase: 'check',
  isGuard: false,
  kinds: [createOrUpdate(managedClusterSetBindings)],
  condition: 'true',
  decide: (request) => {
    const binding = request.object as ManagedClusterSetBinding;
    const problem = invalidBinding(binding);
    if (problem !== undefined) return { refusal: problem, code: 400 };
    if (request.operation !== 'CREATE') return undefined;
    return requiring(request, [rightToBind(binding.spec?.clusterSet ?? '', request.user.name)]);
  },
};

/** Only the hub writes mirrors of members. */
function mirrorChecks(hubUser: string): FleetCheck {
  return {
    webhook: 'fleet.managedcluster.mirror',
    phase: 'check',
    isGuard: false,
    kinds: [{ kind: managedClusters, subresources: ['', 'status'], operations: ['CREATE', 'UPDATE', 'DELETE'] }],
    condition: `request.userInfo.username != ${quote(hubUser)} && (${isOwnedInCel('object')} || ${isOwnedInCel('oldObject')})`,
    decide: ({ operation, object, oldObject, user }) => {
      if (user.name === hubUser) return undefined;
      if (operation === 'DELETE') return oldObject && deletionOfMirror(oldObject);
      const refusal = object && refusedMirrorChange(object, oldObject);
      return refusal === undefined ? undefined : { refusal };
    },
  };
}

/** The garbage collector deletes mirrors of members that are gone. */
function deletionOfMirror(mirror: ManagedCluster): Outcome {
  const source = mirroredOwnerOf(mirror);
  if (source === undefined) return undefined;
  return {
    reads: [{ read: 'object', kind: memberClusters, key: { name: source.name } }],
    decideWith: ([found]) => {
      const [member] = found?.objects ?? [];
      const isStaying = member?.metadata.uid === source.uid && member.metadata.deletionTimestamp === undefined;
      return isStaying ? { refusal: refusedMirrorDeletion(mirror) } : undefined;
    },
  };
}

/** `hasOcmAdmission` is false where OCM's own webhooks run. */
export function ocmChecks(hasOcmAdmission: boolean, hubUser: string): readonly FleetCheck[] {
  const own = [clusterDefaults, clusterChecks, bindingChecks];
  return [...(hasOcmAdmission ? own : []), memberSetChecks, mirrorChecks(hubUser)];
}

interface RightsQuestion {
  readonly reads: readonly Read[];
  readonly decideWith: (found: readonly Found[]) => Refusal | undefined;
}

/** Refuses a request whose user lacks one of the rights. */
function requiring({ user }: FleetRequest, rights: readonly RequiredRight[]): RightsQuestion | undefined {
  if (rights.length === 0) return undefined;
  return {
    reads: rights.map(({ refusal: _refusal, ...right }): Read => ({ read: 'right', user, right })),
    decideWith: (found) => {
      const missing = rights.find((_right, index) => found[index]?.isAllowed !== true);
      return missing && { refusal: missing.refusal };
    },
  };
}

function ifNotTerminating(name: string, question: RightsQuestion | undefined): Outcome {
  return {
    reads: [{ read: 'object', kind: namespaces, key: { name } }, ...(question?.reads ?? [])],
    decideWith: ([namespace, ...rights]) => {
      const isTerminating = namespace?.objects[0]?.metadata.deletionTimestamp !== undefined;
      return isTerminating ? { refusal: terminatingNamespace(name) } : question?.decideWith(rights);
    },
  };
}

function createOrUpdate(kind: Kind): CheckedKind {
  return { kind, subresources: [''], operations: ['CREATE', 'UPDATE'] };
}

function hasSetLabel(object: string): string {
  const labels = `${object}.metadata.labels`;
  return `(has(${labels}) && ${quote(clusterSetLabel)} in ${labels})`;
}

function isOwnedInCel(object: string): string {
  const owners = `${object}.metadata.ownerReferences`;
  return `(${object} != null && has(${owners}) && ${owners}.exists(owner, owner.kind == ${quote(memberClusters.kind)}))`;
}
