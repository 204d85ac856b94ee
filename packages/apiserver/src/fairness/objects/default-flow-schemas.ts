import type { JsonObject } from '@flotilla/kube';
import type { BootstrapObject } from '../../own-requests/ensure-object.ts';
import { danglingCondition } from './dangling-condition.ts';
import { flowControlConsumer, flowControlProducer, producedAnnotations } from './flow-control-owner.ts';

const any = ['*'];
const everyResource = { verbs: any, apiGroups: any, resources: any, clusterScope: true, namespaces: any };
const everything = {
  resourceRules: [everyResource],
  nonResourceRules: [{ verbs: any, nonResourceURLs: any }],
};

const allUsers = [group('system:unauthenticated'), group('system:authenticated')];
const controllerManager = user('system:kube-controller-manager');
const scheduler = user('system:kube-scheduler');
const systemServiceAccounts = {
  kind: 'ServiceAccount',
  serviceAccount: { name: '*', namespace: 'kube-system' },
};

/** Assigns requests to priority levels; the first that matches wins. */
export const defaultFlowSchemas: readonly BootstrapObject[] = [
  flowSchema('exempt', 1, 'exempt', { subjects: [group('system:masters')], ...everything }),
  flowSchema('probes', 2, 'exempt', {
    subjects: allUsers,
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
  }),
  flowSchema(
    'system-leader-election',
    100,
    'leader-election',
    {
      subjects: [controllerManager, scheduler, systemServiceAccounts],
      resourceRules: [leases(['get', 'create', 'update'])],
    },
    'ByUser',
  ),
  flowSchema(
    'system-node-high',
    400,
    'node-high',
    {
      subjects: [group('system:nodes')],
      resourceRules: [{ ...everyResource, apiGroups: [''], resources: ['nodes', 'nodes/status'] }, leases(any)],
    },
    'ByUser',
  ),
  flowSchema('system-nodes', 500, 'system', { subjects: [group('system:nodes')], ...everything }, 'ByUser'),
  flowSchema(
    'kube-controller-manager',
    800,
    'workload-high',
    { subjects: [controllerManager], ...everything },
    'ByNamespace',
  ),
  flowSchema('kube-scheduler', 800, 'workload-high', { subjects: [scheduler], ...everything }, 'ByNamespace'),
  flowSchema(
    'kube-system-service-accounts',
    900,
    'workload-high',
    { subjects: [systemServiceAccounts], ...everything },
    'ByNamespace',
  ),
  flowSchema(
    'service-accounts',
    9000,
    'workload-low',
    { subjects: [group('system:serviceaccounts')], ...everything },
    'ByUser',
  ),
  flowSchema('global-default', 9900, 'global-default', { subjects: allUsers, ...everything }, 'ByUser'),
  flowSchema('catch-all', 10_000, 'catch-all', { subjects: allUsers, ...everything }, 'ByUser'),
];

function flowSchema(
  name: string,
  matchingPrecedence: number,
  level: string,
  rule: JsonObject,
  distinguisher?: 'ByUser' | 'ByNamespace',
): BootstrapObject {
  const spec: JsonObject = { priorityLevelConfiguration: { name: level }, matchingPrecedence, rules: [rule] };
  if (distinguisher !== undefined) spec['distinguisherMethod'] = { type: distinguisher };
  return {
    path: '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
    manager: flowControlProducer,
    object: {
      kind: 'FlowSchema',
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      metadata: { name, annotations: producedAnnotations },
      spec,
    },
    condition: { manager: flowControlConsumer, condition: danglingCondition(level, true) },
  };
}

function group(name: string): JsonObject {
  return { kind: 'Group', group: { name } };
}

function user(name: string): JsonObject {
  return { kind: 'User', user: { name } };
}

function leases(verbs: string[]): JsonObject {
  return { verbs, apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: any };
}
