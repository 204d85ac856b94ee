/** KubeFleet's guard rail: users that are not trusted cannot change what the fleet and Kubernetes itself need. */
import { fleetNamespace, memberClusters, memberNamespace, type MemberCluster } from '@flotilla/api';
import {
  isIdentityOf,
  memberOfNamespace,
  refusedDefinition,
  refusedMemberChange,
  refusedNamespace,
  refusedUser,
  type GuardedRequest,
  type GuardRailSettings,
} from '@flotilla/controllers';
import { splitApiVersion } from '@flotilla/apiserver';
import { customResourceDefinitions, namespaces, quote } from '@flotilla/kube';
import type { CheckedKind, FleetCheck, FleetRequest, Outcome } from './fleet-check.ts';
import { agentPlurals, guardedKinds } from './guarded-kinds.ts';
import { refusalOf } from './placement-checks.ts';

const kubernetesNamespaces = ['kube-system', 'kube-public', 'kube-node-lease'];

export function guardRailChecks(settings: GuardRailSettings, hubUser: string): readonly FleetCheck[] {
  const users = { ...settings, whitelistedUsers: [...settings.whitelistedUsers, hubUser] };
  return [
    {
      ...railOf('customresourcedefinition', 'true'),
      kinds: [everyWrite(customResourceDefinitions)],
      decide: (request) => refusalOf(refusedDefinition(guardedRequest(request), users)),
    },
    {
      ...railOf('membercluster', 'true'),
      // Some changes are refused to every user.
      isGuard: false,
      kinds: [everyWrite(memberClusters, ['', 'status'])],
      decide: (request) => refusalOf(refusedMemberChange(memberChange(request), users)),
    },
    {
      ...railOf('namespace', 'true'),
      kinds: [everyWrite(namespaces)],
      decide: (request) => refusalOf(refusedNamespace({ ...guardedRequest(request), namespace: '' }, users)),
    },
    railOfNamespaces('fleetmembernamespacedresources', users, {
      condition: `request.namespace.startsWith(${quote(memberNamespace(''))})`,
      isForNamespace: (namespace) => memberOfNamespace(namespace) !== undefined,
    }),
    railOfNamespaces('fleetsystemnamespacedresources', users, {
      condition: `request.namespace == ${quote(fleetNamespace)}`,
      isForNamespace: (namespace) => namespace === fleetNamespace,
    }),
    railOfNamespaces('kubenamespacedresources', users, {
      condition: `request.namespace in [${kubernetesNamespaces.map(quote).join(', ')}]`,
      isForNamespace: (namespace) => kubernetesNamespaces.includes(namespace),
    }),
  ];
}

function railOfNamespaces(
  name: string,
  users: GuardRailSettings,
  which: Pick<FleetCheck, 'condition' | 'isForNamespace'>,
): FleetCheck {
  return {
    ...railOf(name, which.condition),
    ...which,
    kinds: guardedKinds,
    decide: (request) => inNamespace(request, users),
  };
}

/** The agent of a member may write its own objects. Without a MemberCluster there is no agent to compare with, so requests pass. */
function inNamespace(request: FleetRequest, users: GuardRailSettings): Outcome {
  const { group, plural } = request.resource;
  if (plural === 'events') return undefined;
  const refusal = refusalOf(refusedUser(guardedRequest(request), users));
  const member = memberOfNamespace(request.namespace);
  if (!refusal || member === undefined || !agentPlurals.get(group)?.includes(plural)) return refusal;
  return {
    reads: [{ read: 'object', kind: memberClusters, key: { name: member } }],
    decideWith: ([found]) => {
      const [cluster] = found?.objects ?? [];
      return cluster && !isIdentityOf(cluster as MemberCluster, request.user) ? refusal : undefined;
    },
  };
}

function railOf(name: string, condition: string): Omit<FleetCheck, 'decide' | 'kinds'> {
  return {
    webhook: `fleet.${name}.guardrail.validating`,
    phase: 'check',
    isGuard: true,
    failsOpen: true,
    condition,
  };
}

function everyWrite(kind: CheckedKind['kind'], subresources: readonly string[] = ['']): CheckedKind {
  return { kind, subresources, operations: ['CREATE', 'UPDATE', 'DELETE'] };
}

function memberChange(request: FleetRequest) {
  return {
    request: guardedRequest(request),
    object: request.object as MemberCluster | undefined,
    oldObject: request.oldObject as MemberCluster | undefined,
  };
}

/** The deletion of a collection names no object, and a generated name does not exist yet. */
function guardedRequest(request: FleetRequest): GuardedRequest {
  const { operation, subresource, namespace, user, object, oldObject } = request;
  const { apiVersion = '', kind = '', metadata } = object ?? oldObject ?? {};
  const name = request.name || metadata?.name || metadata?.generateName || '';
  return {
    operation,
    gvk: request.requestKind ?? { ...splitApiVersion(apiVersion), kind },
    subresource,
    namespace,
    name,
    user,
  };
}
