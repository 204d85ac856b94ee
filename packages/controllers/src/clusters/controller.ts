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
} from '@flotilla/kube';
import type { Cache, Controller, Watched } from '@flotilla/runtime';
import { decideMembership } from './decide.ts';
import type { MembershipSettings, MemberState } from './member-state.ts';

/** Each turn waits for several writes, one after another; members that join together need not wait for each other. */
const workers = 16;

/** Gives every MemberCluster its place on the hub, tells of it what its agents report, and clears up behind it. */
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
      { kind: works, concerns: memberIfStuck, metadataOnly: true },
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

/** The status is written here alone, and what it says comes from elsewhere: to see it change is no news. */
const itselfUnlessStatus: Concerns = (now, old) => {
  const { name = '' } = (now ?? old)?.metadata ?? {};
  const isNews = now === undefined || old === undefined || !jsonEquals(claimOf(now), claimOf(old));
  return isNews ? [{ name }] : [];
};

/** What a member is, apart from its status. */
function claimOf({ metadata }: KubeObject): JsonValue {
  const { uid = '', generation = 0, labels = {}, finalizers = [], deletionTimestamp = '' } = metadata;
  return [uid, generation, labels, finalizers, deletionTimestamp];
}

const memberPrefix = memberNamespace('');

/** Whose namespace it is, or is in. */
const memberOf: Concerns = (now, old) => {
  const { namespace, name = '' } = (now ?? old)?.metadata ?? {};
  const place = namespace ?? name;
  return place.startsWith(memberPrefix) ? [{ name: place.slice(memberPrefix.length) }] : [];
};

/** Works that wait to be cleared may hold up the end of their member; all others are none of this stage's business. */
const memberIfStuck: Concerns = (now, old) => {
  const { deletionTimestamp, finalizers = [] } = now?.metadata ?? {};
  return deletionTimestamp !== undefined && finalizers.length > 0 ? memberOf(now, old) : [];
};
