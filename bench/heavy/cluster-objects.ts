/** Rules, addresses and policies: built-in kinds whose lists are validated entry by entry. */
import { apply, dryRun, keyed, patch, post, remove, times } from './heavy-request.ts';
import type { HeavyRequest } from './heavy-request.ts';

type Fields = Record<string, unknown>;

const core = '/api/v1/namespaces/default';
const metadata = { name: 'heavy' };

const servicePorts = (count: number): Fields[] => times(count, (index) => ({ name: `p${index}`, port: index + 1 }));
const service = (count: number): Fields => ({
  kind: 'Service',
  apiVersion: 'v1',
  metadata,
  spec: { selector: { app: 'heavy' }, ports: servicePorts(count) },
});
const address = (index: number): string => `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;

export const clusterObjectRequests: readonly HeavyRequest[] = [
  {
    name: 'create a Service of 20,000 ports',
    ...post(`${core}/services${dryRun}`, () => service(20_000)),
    status: 201,
  },
  {
    name: 'create a Service of 20,000 ports of one name',
    ...post(`${core}/services`, () => ({
      ...service(0),
      spec: { ports: times(20_000, () => ({ name: 'p', port: 80 })) },
    })),
    status: 422,
  },
  {
    name: 'apply a Service of 10,000 ports',
    ...apply(`${core}/services/heavy`, () => service(10_000), 'one', '&dryRun=All'),
    status: 201,
  },
  {
    name: 'merge 5,000 ports into 5,000 by a strategic patch',
    ...patch(`${core}/services/heavy${dryRun}`, 'strategic', () => ({
      spec: { ports: times(5000, (index) => ({ name: `p${index}`, port: index + 1, targetPort: 80 })) },
    })),
    prepare: [post(`${core}/services`, () => service(5000))],
    status: 200,
    cleanup: [remove(`${core}/services/heavy`)],
  },
  {
    name: 'create Endpoints of 20,000 addresses',
    ...post(`${core}/endpoints${dryRun}`, () => ({
      kind: 'Endpoints',
      apiVersion: 'v1',
      metadata,
      subsets: [{ addresses: times(20_000, (index) => ({ ip: address(index) })), ports: [{ port: 80 }] }],
    })),
    status: 201,
  },
  {
    name: 'create an EndpointSlice of 1,000 endpoints',
    ...post(`/apis/discovery.k8s.io/v1/namespaces/default/endpointslices${dryRun}`, () => ({
      kind: 'EndpointSlice',
      apiVersion: 'discovery.k8s.io/v1',
      metadata,
      addressType: 'IPv4',
      endpoints: times(1000, (index) => ({ addresses: times(100, (at) => address(index * 100 + at)) })),
    })),
    status: 201,
  },
  {
    name: 'create a NetworkPolicy of 20,000 peers',
    ...post(`/apis/networking.k8s.io/v1/namespaces/default/networkpolicies${dryRun}`, () => ({
      kind: 'NetworkPolicy',
      apiVersion: 'networking.k8s.io/v1',
      metadata,
      spec: {
        podSelector: {},
        ingress: times(2000, (index) => ({
          from: times(10, (at) => ({ ipBlock: { cidr: `${address(index * 10 + at)}/32` } })),
          ports: [{ protocol: 'TCP', port: 80 }],
        })),
      },
    })),
    status: 201,
  },
  {
    name: 'create an Ingress of 10,000 hosts',
    ...post(`/apis/networking.k8s.io/v1/namespaces/default/ingresses${dryRun}`, () => ({
      kind: 'Ingress',
      apiVersion: 'networking.k8s.io/v1',
      metadata,
      spec: {
        rules: times(10_000, (index) => ({
          host: `h${index}.example.com`,
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
          },
        })),
      },
    })),
    status: 201,
  },
  {
    name: 'create a ClusterRole of 20,000 rules',
    ...post(`/apis/rbac.authorization.k8s.io/v1/clusterroles${dryRun}`, () => ({
      kind: 'ClusterRole',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata,
      rules: times(20_000, (index) => ({ apiGroups: [''], resources: [`r${index}`], verbs: ['get', 'list'] })),
    })),
    status: 201,
  },
  {
    name: 'create a ClusterRole of 20,000 rules without verbs',
    ...post('/apis/rbac.authorization.k8s.io/v1/clusterroles', () => ({
      kind: 'ClusterRole',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata,
      rules: times(20_000, (index) => ({ apiGroups: [''], resources: [`r${index}`], verbs: [] })),
    })),
    status: 422,
  },
  {
    name: 'create a ClusterRoleBinding of 20,000 subjects',
    ...post(`/apis/rbac.authorization.k8s.io/v1/clusterrolebindings${dryRun}`, () => ({
      kind: 'ClusterRoleBinding',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: times(20_000, (index) => ({ kind: 'ServiceAccount', name: `a${index}`, namespace: 'default' })),
    })),
    status: 201,
  },
  {
    name: 'review the access of a user in 50,000 groups',
    ...post('/apis/authorization.k8s.io/v1/subjectaccessreviews', () => ({
      kind: 'SubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      spec: {
        user: 'u',
        groups: times(50_000, (index) => `g${index}`),
        resourceAttributes: { verb: 'get', resource: 'configmaps' },
      },
    })),
    status: 201,
  },
  {
    name: 'create a ResourceQuota of 30,000 resources',
    ...post(`${core}/resourcequotas${dryRun}`, () => ({
      kind: 'ResourceQuota',
      apiVersion: 'v1',
      metadata,
      spec: { hard: keyed(30_000, () => '1', 'requests.example.com/r') },
    })),
    status: 201,
  },
  {
    name: 'create a LimitRange of 10,000 items of one type',
    ...post(`${core}/limitranges`, () => ({
      kind: 'LimitRange',
      apiVersion: 'v1',
      metadata,
      spec: { limits: times(10_000, () => ({ type: 'Container', max: { cpu: '1' } })) },
    })),
    status: 422,
  },
  {
    name: 'create a Node with 20,000 taints',
    ...post(`/api/v1/nodes${dryRun}`, () => ({
      kind: 'Node',
      apiVersion: 'v1',
      metadata,
      spec: { taints: times(20_000, (index) => ({ key: `k${index}`, value: 'v', effect: 'NoSchedule' })) },
    })),
    status: 201,
  },
  {
    name: 'patch 10,000 images into the status of a Node',
    ...patch(`/api/v1/nodes/heavy/status${dryRun}`, 'strategic', () => ({
      status: {
        images: times(10_000, (index) => ({ names: [`example.com/i:${index}`], sizeBytes: index })),
        conditions: times(5000, (index) => ({ type: `T${index}`, status: 'True' })),
        addresses: times(5000, (index) => ({ type: 'InternalIP', address: address(index) })),
      },
    })),
    prepare: [post('/api/v1/nodes', () => ({ kind: 'Node', apiVersion: 'v1', metadata }))],
    status: 200,
    cleanup: [remove('/api/v1/nodes/heavy')],
  },
  {
    name: 'create an autoscaler of 5,000 metrics',
    ...post(`/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers${dryRun}`, () => ({
      kind: 'HorizontalPodAutoscaler',
      apiVersion: 'autoscaling/v2',
      metadata,
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
        metrics: times(5000, (index) => ({
          type: 'Pods',
          pods: { metric: { name: `m${index}` }, target: { type: 'AverageValue', averageValue: '1' } },
        })),
      },
    })),
    status: 201,
  },
  {
    name: 'create a webhook configuration of 3,000 webhooks',
    ...post(`/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations${dryRun}`, () => ({
      kind: 'ValidatingWebhookConfiguration',
      apiVersion: 'admissionregistration.k8s.io/v1',
      metadata,
      webhooks: times(3000, (index) => ({
        name: `w${index}.example.com`,
        clientConfig: { url: 'https://127.0.0.1:1/' },
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: 'Ignore',
        rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['x'] }],
      })),
    })),
    status: 201,
  },
];
