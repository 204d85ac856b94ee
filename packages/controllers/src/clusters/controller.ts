import {
  internalMemberClusters,
  memberClusterFieldManager,
  memberClusters,
  memberNamespace,
  memberRole,
  memberRoleBinding,
  works,
} from '@flotilla/api';
import {
  jsonEquals,
  namespaces,
  roleBindings,
  roles,
  type JsonValue,
  type KubeObject,
  type ObjectKey,
  type Outline,
} from '@flotilla/kube';
import type { Cache, Controller, Watched } from '@flotilla/runtime';
import { decideMembership } from './decide.ts';
import type { MembershipSettings, MemberState } from './member-state.ts';

/** A reconcile waits for several writes in a row; members that join together should not wait for each other. */
const workers = 16;

/** Creates a member's objects on the hub, mirrors its reports into the MemberCluster, and deletes the objects when it leaves. */
export function clustersController(settings: MembershipSettings): Controller<MemberState> {
  return {
    name: 'membercluster-controller',
    fieldManager: memberClusterFieldManager,
    eventSource: 'mcv1beta1',
    workers,
    watches: [
      { kind: memberClusters, concerns: itselfUnlessStatus },
      { kind: internalMemberClusters, concerns: memberOf },
      { kind: namespaces, concerns: memberOf, metadataOnly: true },
      { kind: roles, concerns: memberOf },
      { kind: roleBindings, concerns: memberOf },
      { kind: works, concerns: memberIfStuck, existing: memberOfStuck, metadataOnly: true },
    ],
    observe: observeMember,
    decide: (state, now) => decideMembership(state, settings, now),
  };
}

function observeMember({ name }: ObjectKey, cache: Cache): MemberState | undefined {
  const cluster = cache.get(memberClusters, { name });
  if (cluster === undefined) return undefined;
  const namespace = memberNamespace(name);
  const isLeaving = cluster.metadata.deletionTimestamp !== undefined;
  return {
    cluster,
    namespace: cache.get(namespaces, { name: namespace }),
    role: cache.get(roles, { namespace, name: memberRole(name) }),
    roleBinding: cache.get(roleBindings, { namespace, name: memberRoleBinding(name) }),
    internal: cache.get(internalMemberClusters, { namespace, name }),
    works: isLeaving ? cache.list(works, { namespace }) : [],
  };
}

type Concerns = Watched['concerns'];

/** Ignores changes of the status: only this controller writes it. */
const itselfUnlessStatus: Concerns = (now, old) => {
  const { name = '' } = (now ?? old)?.metadata ?? {};
  const isRelevant = now === undefined || old === undefined || !jsonEquals(relevantPartsOf(now), relevantPartsOf(old));
  return isRelevant ? [{ name }] : [];
};

/** The parts of a MemberCluster that this controller reads, apart from the status. */
function relevantPartsOf({ metadata }: KubeObject): JsonValue {
  const { uid = '', generation = 0, labels = {}, finalizers = [], deletionTimestamp = '' } = metadata;
  return [uid, generation, labels, finalizers, deletionTimestamp];
}

const memberPrefix = memberNamespace('');

/** The member to which a namespace, or an object in it, belongs. */
const memberOf: Concerns = (now, old) => memberAt((now ?? old)?.metadata ?? {});

function memberAt({ namespace, name = '' }: Partial<ObjectKey>): ObjectKey[] {
  const place = namespace ?? name;
  return place.startsWith(memberPrefix) ? [{ name: place.slice(memberPrefix.length) }] : [];
}

/** Works with finalizers may block the deletion of their member; others are ignored. */
const memberIfStuck: Concerns = (now, old, cache) =>
  now !== undefined && isStuck(now.metadata) ? memberOf(now, old, cache) : [];

const memberOfStuck: NonNullable<Watched['existing']> = ({ key, outline }) => (isStuck(outline) ? memberAt(key) : []);

function isStuck({ deletionTimestamp, finalizers = [] }: Pick<Outline, 'deletionTimestamp' | 'finalizers'>): boolean {
  return deletionTimestamp !== undefined && finalizers.length > 0;
}
