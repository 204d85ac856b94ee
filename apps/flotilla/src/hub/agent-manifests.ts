/** The objects that run the agent of a member in that member, with a credential that renews itself. */
import { fleetNamespace } from '@flotilla/api';
import { rbacGroup, type JsonObject } from '@flotilla/kube';

export interface AgentManifestOptions {
  /** Name of the MemberCluster. */
  readonly member: string;
  readonly image: string;
  /** The hub as a cluster of a kubeconfig. */
  readonly hub: HubEntry;
  readonly token: string;
}

export interface HubEntry extends Readonly<Record<string, string | boolean>> {
  readonly server: string;
}

const name = 'flotilla-agent';
const secretName = 'flotilla-agent-hub';
const labels = { 'app.kubernetes.io/name': name };

/** In a volume of the pod, because a mounted Secret cannot be written. */
const tokenFile = '/run/flotilla/token';
const configFolder = '/etc/flotilla';
const probePort = 8081;

export function agentManifests(options: AgentManifestOptions): JsonObject[] {
  const subjects = [{ kind: 'ServiceAccount', name, namespace: fleetNamespace }];
  const bound = (kind: 'ClusterRole' | 'Role', namespace?: string): JsonObject => ({
    apiVersion: `${rbacGroup}/v1`,
    kind: `${kind}Binding`,
    metadata: metadataIn(namespace),
    roleRef: { apiGroup: rbacGroup, kind, name },
    subjects,
  });
  const role = (kind: 'ClusterRole' | 'Role', rules: JsonObject[], namespace?: string): JsonObject => ({
    apiVersion: `${rbacGroup}/v1`,
    kind,
    metadata: metadataIn(namespace),
    rules,
  });
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: fleetNamespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadataIn(fleetNamespace) },
    role('ClusterRole', memberRules()),
    bound('ClusterRole'),
    role('Role', [secretRule()], fleetNamespace),
    bound('Role', fleetNamespace),
    accessSecret(options),
    deployment(options),
  ];
}

function metadataIn(namespace: string | undefined, ownName = name): JsonObject {
  return { name: ownName, ...(namespace !== undefined && { namespace }), labels: { ...labels } };
}

/** Those of charts/member-agent: the hub may place objects of any kind. */
function memberRules(): JsonObject[] {
  const works = 'placement.kubernetes-fleet.io';
  return [
    { apiGroups: [works], resources: ['appliedworks/status'], verbs: ['update', 'patch'] },
    { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] },
    // RBAC forbids granting rights one lacks, except with these verbs.
    { apiGroups: [rbacGroup], resources: ['roles', 'clusterroles'], verbs: ['bind', 'escalate'] },
  ];
}

/** The agent keeps its renewed token there, so that a new pod has it. */
function secretRule(): JsonObject {
  return { apiGroups: [''], resources: ['secrets'], resourceNames: [secretName], verbs: ['get', 'patch'] };
}

function accessSecret({ hub, token }: AgentManifestOptions): JsonObject {
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'hub', cluster: { ...hub } }],
    users: [{ name: 'hub', user: { tokenFile } }],
    contexts: [{ name: 'hub', context: { cluster: 'hub', user: 'hub' } }],
    'current-context': 'hub',
  };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: metadataIn(fleetNamespace, secretName),
    type: 'Opaque',
    data: { kubeconfig: base64(JSON.stringify(kubeconfig)), token: base64(token) },
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function deployment({ member, image }: AgentManifestOptions): JsonObject {
  const probe = (path: string): JsonObject => ({ httpGet: { path, port: probePort } });
  const container: JsonObject = {
    name: 'agent',
    image,
    command: ['flotilla', 'agent'],
    args: [
      `--name=${member}`,
      `--hub-kubeconfig=${configFolder}/kubeconfig`,
      `--hub-token-secret=${fleetNamespace}/${secretName}`,
      `--hub-health-probe-bind-address=:${probePort}`,
    ],
    livenessProbe: probe('/healthz'),
    readinessProbe: probe('/readyz'),
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '1Gi' } },
    volumeMounts: [
      { name: 'access', mountPath: configFolder, readOnly: true },
      { name: 'token', mountPath: '/run/flotilla' },
    ],
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataIn(fleetNamespace),
    spec: {
      replicas: 1,
      // Two agents would renew the same token.
      strategy: { type: 'Recreate' },
      selector: { matchLabels: { ...labels } },
      template: {
        metadata: { labels: { ...labels } },
        spec: {
          serviceAccountName: name,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 65_532,
            runAsGroup: 65_532,
            fsGroup: 65_532,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          containers: [container],
          volumes: [
            {
              name: 'access',
              secret: { secretName, items: [{ key: 'kubeconfig', path: 'kubeconfig' }] },
            },
            { name: 'token', emptyDir: { medium: 'Memory' } },
          ],
        },
      },
    },
  };
}
