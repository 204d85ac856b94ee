/** For tests: a healthy member and its objects on the hub. */
import type { AgentStatus, Condition, InternalMemberCluster, MemberCluster, MemberClusterStatus } from '@flotilla/api';
import { applyMergePatch, type KubeObject } from '@flotilla/kube';
import type { Plan, Write } from '@flotilla/runtime';
import { memberRules } from './member-access.ts';
import type { MemberState } from './member-state.ts';

export const now = new Date('2026-01-01T12:00:00Z');

export function aMember(
  metadata: Partial<MemberCluster['metadata']> = {},
  status?: MemberClusterStatus,
): MemberCluster {
  return {
    apiVersion: 'cluster.kubernetes-fleet.io/v1beta1',
    kind: 'MemberCluster',
    metadata: {
      name: 'sea',
      uid: 'u1',
      resourceVersion: '7',
      generation: 2,
      labels: { 'kubernetes-fleet.io/member-name': 'sea' },
      finalizers: ['kubernetes-fleet.io/membercluster-finalizer'],
      ...metadata,
    },
    spec: { identity: { kind: 'User', name: 'agent' }, heartbeatPeriodSeconds: 60 },
    ...(status && { status }),
  };
}

export function aNamespace(metadata: Partial<KubeObject['metadata']> = {}): KubeObject {
  const labels = { 'kubernetes-fleet.io/is-fleet-resource': 'true' };
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'fleet-member-sea', uid: 'n1', resourceVersion: '3', labels, ...metadata },
  };
}

export function anInternal(
  status?: InternalMemberCluster['status'],
  state: 'Join' | 'Leave' = 'Join',
): InternalMemberCluster {
  return {
    apiVersion: 'cluster.kubernetes-fleet.io/v1beta1',
    kind: 'InternalMemberCluster',
    metadata: { namespace: 'fleet-member-sea', name: 'sea', uid: 'i1', resourceVersion: '5' },
    spec: { state, heartbeatPeriodSeconds: 60 },
    ...(status && { status }),
  };
}

export function aWork(name: string, finalizers: string[]): KubeObject {
  const metadata = { namespace: 'fleet-member-sea', name, uid: `w-${name}`, resourceVersion: '9', finalizers };
  return { apiVersion: 'placement.kubernetes-fleet.io/v1beta1', kind: 'Work', metadata };
}

/** A state in which nothing must change, with the changes of the test. */
export function aState(changes: Partial<MemberState> = {}): MemberState {
  const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' };
  const namespace = 'fleet-member-sea';
  return {
    cluster: aMember(),
    namespace: aNamespace(),
    role: { ...rbac, kind: 'Role', metadata: { namespace, name: 'fleet-role-sea' }, rules: [...memberRules(false)] },
    roleBinding: {
      ...rbac,
      kind: 'RoleBinding',
      metadata: { namespace, name: 'fleet-rolebinding-sea', uid: 'b1' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'agent' }],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'fleet-role-sea' },
    },
    internal: anInternal(),
    works: [],
    ...changes,
  };
}

export function aCondition(type: string, status: Condition['status'], more: Partial<Condition> = {}): Condition {
  return { type, status, reason: 'Said', message: 'said', lastTransitionTime: '2026-01-01T00:00:00Z', ...more };
}

export function anAgent(joined: Condition['status'] | undefined, type = 'MemberAgent'): AgentStatus {
  return {
    type,
    lastReceivedHeartbeat: '2026-01-01T11:59:30Z',
    conditions: [...(joined ? [aCondition('Joined', joined)] : []), aCondition('Healthy', 'True')],
  };
}

/** The writes of each step, as text: `create Namespace fleet-member-sea`. */
export function told({ steps }: Plan): string[][] {
  return steps.map((step) => step.map(sentence)).filter((step) => step.length > 0);
}

function sentence(write: Write): string {
  const name = 'object' in write ? write.object.metadata.name : write.key.name;
  const part = 'subresource' in write && write.subresource ? `/${write.subresource}` : '';
  return `${write.verb} ${write.kind.kind}${part} ${name}`;
}

/** The status that the plan writes. */
export function statusIn({ steps }: Plan, before: MemberClusterStatus = {}): MemberClusterStatus | undefined {
  const write = steps.flat().find((one) => 'subresource' in one && one.subresource === 'status');
  if (write?.verb === 'update') return (write.object as MemberCluster).status;
  if (write?.verb !== 'patch') return undefined;
  return applyMergePatch(before, write.patch['status'] ?? {}) as MemberClusterStatus;
}
