/** Requests whose audit events are recorded from kube-apiserver, and replayed on our server. Each has its row number as Audit-ID. */
import type { JsonObject } from '@flotilla/kube';

export interface AuditedRequest {
  readonly says: string;
  /** Without one the request has no credentials. */
  readonly as?: 'admin' | 'alice' | 'stranger';
  /** Method and target. */
  readonly send: string;
  readonly body?: JsonObject | string;
  readonly type?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Kubernetes loses the last event, because it would contain the body and that is no JSON. */
  readonly kubernetesLoses?: true;
}

const configMap = (name: string, data: JsonObject = { key: 'value' }): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
const namespace = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const maps = (name: string): string => `/api/v1/namespaces/${name}/configmaps`;
const merge = 'application/merge-patch+json';
const apply = 'application/apply-patch+yaml';

const pod: JsonObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'web', image: 'web:1' }] },
};
const deployment: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
  },
};
const definition: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boats.audit.example.com' },
  spec: {
    group: 'audit.example.com',
    scope: 'Namespaced',
    names: { plural: 'boats', singular: 'boat', kind: 'Boat', listKind: 'BoatList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { sails: { type: 'integer', default: 2 } } } },
          },
        },
      },
    ],
  },
};
const boat: JsonObject = { apiVersion: 'audit.example.com/v1', kind: 'Boat', metadata: { name: 'one' }, spec: {} };
const boats = '/apis/audit.example.com/v1/namespaces/audit/boats';

/** Run in this order, each after the answer to the one before. */
export const auditedRequests: readonly AuditedRequest[] = [
  { says: 'creates a namespace', as: 'admin', send: 'POST /api/v1/namespaces', body: namespace('audit') },
  { says: 'creates a second one', as: 'admin', send: 'POST /api/v1/namespaces', body: namespace('audit-request') },
  { says: 'creates a third one', as: 'admin', send: 'POST /api/v1/namespaces', body: namespace('audit-omit') },
  { says: 'creates an object', as: 'admin', send: `POST ${maps('audit')}`, body: configMap('one') },
  { says: 'creates an object that exists', as: 'admin', send: `POST ${maps('audit')}`, body: configMap('one') },
  { says: 'gets an object', as: 'admin', send: `GET ${maps('audit')}/one` },
  { says: 'gets an object as indented JSON', as: 'admin', send: `GET ${maps('audit')}/one?pretty=true` },
  { says: 'gets an object as YAML', as: 'admin', send: `GET ${maps('audit')}/one`, accept: 'application/yaml' },
  {
    says: 'gets an object as protobuf',
    as: 'admin',
    send: `GET ${maps('audit')}/one`,
    accept: 'application/vnd.kubernetes.protobuf',
  },
  {
    says: 'gets a Table',
    as: 'admin',
    send: `GET ${maps('audit')}/one`,
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  },
  { says: 'gets an object that does not exist', as: 'admin', send: `GET ${maps('audit')}/none` },
  { says: 'lists objects', as: 'admin', send: `GET ${maps('audit')}?labelSelector=a%3Db` },
  { says: 'updates an object', as: 'admin', send: `PUT ${maps('audit')}/one`, body: configMap('one', { key: 'two' }) },
  {
    says: 'patches an object',
    as: 'admin',
    send: `PATCH ${maps('audit')}/one`,
    type: merge,
    body: { data: { a: 'b' } },
  },
  {
    says: 'applies an object',
    as: 'admin',
    send: `PATCH ${maps('audit')}/applied?fieldManager=me`,
    type: apply,
    body: configMap('applied'),
  },
  {
    says: 'patches with garbage',
    as: 'admin',
    send: `PATCH ${maps('audit')}/one`,
    type: merge,
    body: '{"data":',
    kubernetesLoses: true,
  },
  { says: 'creates garbage', as: 'admin', send: `POST ${maps('audit')}`, body: '{"kind":' },
  { says: 'creates an invalid object', as: 'admin', send: `POST ${maps('audit')}`, body: configMap('NOT-A-NAME') },
  {
    says: 'creates an object with a generated name',
    as: 'admin',
    send: `POST ${maps('audit')}?dryRun=All`,
    body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'some-' } },
  },
  {
    says: 'creates an object at the level Request',
    as: 'admin',
    send: `POST ${maps('audit-request')}`,
    body: configMap('two'),
  },
  {
    says: 'deletes with options',
    as: 'admin',
    send: `DELETE ${maps('audit-request')}/two`,
    body: { gracePeriodSeconds: 0 },
  },
  { says: 'creates an object to delete', as: 'admin', send: `POST ${maps('audit-request')}`, body: configMap('three') },
  {
    says: 'deletes with options that have a kind',
    as: 'admin',
    send: `DELETE ${maps('audit-request')}/three`,
    body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0, propagationPolicy: 'Background' },
  },
  {
    says: 'applies YAML',
    as: 'admin',
    send: `PATCH ${maps('audit-request')}/four?fieldManager=me`,
    type: apply,
    body: 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: four}\n',
    kubernetesLoses: true,
  },
  {
    says: 'creates an object without managedFields',
    as: 'admin',
    send: `POST ${maps('audit-omit')}`,
    body: configMap('three'),
  },
  { says: 'lists objects without managedFields', as: 'admin', send: `GET ${maps('audit-omit')}` },
  { says: 'deletes a collection', as: 'admin', send: `DELETE ${maps('audit-omit')}` },
  { says: 'creates an object that a rule names', as: 'admin', send: `GET ${maps('audit')}/named` },
  { says: 'deletes an object', as: 'admin', send: `DELETE ${maps('audit')}/one` },
  {
    says: 'creates a Secret',
    as: 'admin',
    send: 'POST /api/v1/namespaces/audit/secrets',
    body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'key' }, stringData: { password: 'hidden' } },
  },
  { says: 'gets a Secret', as: 'admin', send: 'GET /api/v1/namespaces/audit/secrets/key' },
  { says: 'deletes a Secret', as: 'admin', send: 'DELETE /api/v1/namespaces/audit/secrets/key' },
  { says: 'is forbidden to list', as: 'alice', send: `GET ${maps('audit')}` },
  {
    says: 'creates a Role',
    as: 'admin',
    send: 'POST /apis/rbac.authorization.k8s.io/v1/namespaces/audit/roles',
    body: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }],
    },
  },
  {
    says: 'binds a Role',
    as: 'admin',
    send: 'POST /apis/rbac.authorization.k8s.io/v1/namespaces/audit/rolebindings',
    body: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'alice' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }],
    },
  },
  { says: 'reads by a Role', as: 'alice', send: `GET ${maps('audit')}/applied` },
  {
    says: 'impersonates',
    as: 'admin',
    send: `GET ${maps('audit')}/applied`,
    headers: { 'impersonate-user': 'alice', 'impersonate-group': 'developers' },
  },
  {
    says: 'may not impersonate',
    as: 'alice',
    send: `GET ${maps('audit')}/applied`,
    headers: { 'impersonate-user': 'bob' },
  },
  { says: 'presents a wrong token', as: 'stranger', send: `GET ${maps('audit')}` },
  { says: 'presents no credentials', send: `GET ${maps('audit')}` },
  { says: 'reads the version', as: 'admin', send: 'GET /version' },
  { says: 'reads the version without credentials', send: 'GET /version' },
  { says: 'asks for an unknown path', as: 'admin', send: 'GET /nothing' },
  { says: 'asks for an unknown resource', as: 'admin', send: 'GET /api/v1/nothing' },
  { says: 'asks for health, which no rule records', as: 'admin', send: 'GET /healthz' },
  { says: 'creates a Pod', as: 'admin', send: 'POST /api/v1/namespaces/audit/pods', body: pod },
  {
    says: 'patches a status that no rule records',
    as: 'admin',
    send: 'PATCH /api/v1/namespaces/audit/pods/web/status',
    type: merge,
    body: { status: { message: 'hi' } },
  },
  { says: 'deletes a Pod at once', as: 'admin', send: 'DELETE /api/v1/namespaces/audit/pods/web?gracePeriodSeconds=0' },
  {
    says: 'creates a Deployment',
    as: 'admin',
    send: 'POST /apis/apps/v1/namespaces/audit/deployments',
    body: deployment,
  },
  {
    says: 'scales a Deployment',
    as: 'admin',
    send: 'PATCH /apis/apps/v1/namespaces/audit/deployments/web/scale',
    type: merge,
    body: { spec: { replicas: 3 } },
  },
  { says: 'lists a deprecated kind', as: 'admin', send: 'GET /api/v1/namespaces/audit/endpoints' },
  {
    says: 'asks whether it may',
    as: 'alice',
    send: 'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
    body: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'list', resource: 'pods', namespace: 'audit' } },
    },
  },
  {
    says: 'reviews a token',
    as: 'admin',
    send: 'POST /apis/authentication.k8s.io/v1/tokenreviews',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token: 'alice-token' } },
  },
  {
    says: 'creates a service account',
    as: 'admin',
    send: 'POST /api/v1/namespaces/audit/serviceaccounts',
    body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } },
  },
  {
    says: 'requests a token',
    as: 'admin',
    send: 'POST /api/v1/namespaces/audit/serviceaccounts/robot/token',
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 600 } },
  },
  {
    says: 'defines a kind',
    as: 'admin',
    send: 'POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions?fieldManager=me',
    body: definition,
  },
  { says: 'creates a custom object', as: 'admin', send: `POST ${boats}`, body: boat },
  {
    says: 'updates a custom object in conflict',
    as: 'admin',
    send: `PUT ${boats}/one`,
    body: { ...boat, metadata: { name: 'one', resourceVersion: '1' } },
  },
  { says: 'gets a custom object', as: 'admin', send: `GET ${boats}/one` },
  {
    says: 'watches',
    as: 'admin',
    send: `GET ${maps('audit')}?watch=true&timeoutSeconds=1&resourceVersion=0`,
  },
  { says: 'uses an unknown method', as: 'admin', send: `POST ${maps('audit')}/one`, body: configMap('one') },
  {
    says: 'comes through a proxy',
    as: 'admin',
    send: 'GET /version',
    headers: { 'x-forwarded-for': '192.0.2.7, 192.0.2.8', 'x-real-ip': '192.0.2.9', 'user-agent': 'x'.repeat(1100) },
  },
  { says: 'deletes a namespace', as: 'admin', send: 'DELETE /api/v1/namespaces/audit-request' },
];
