/** Installs the objects of a hub: its CRDs, its namespace, and the role of its controllers. */
import { fleetNamespace, hubDefinitions, ocmGroup } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { hubRules, namespaceRoles } from '@flotilla/controllers';
import {
  apiVersionOf,
  authenticatedGroup,
  clusterRoleBindings,
  clusterRoles,
  ignoreAlreadyExists,
  ignoreNotFound,
  jsonEquals,
  namespaces,
  rbacGroup,
  type Kind,
  type KubeObject,
  type User,
} from '@flotilla/kube';
import type { CustomResourceDefinition } from '@flotilla/schema';
import { installDefinitions } from './install-definitions.ts';

/** The user of the controllers of a hub with its own server. */
export const hubUser: User = { name: 'flotilla-hub', groups: [authenticatedGroup] };

export interface InstallHubOptions {
  /** Definitions beside the fleet's. */
  readonly further?: readonly CustomResourceDefinition[] | undefined;
  /** The fleet's definitions are there, as this release has them. To load and compare them takes a tenth of a first start. */
  readonly hasDefinitions?: boolean;
  readonly signal?: AbortSignal;
  /** Whether definitions of OCM's kinds that exist stay as they are, ours too: OCM's operator replaces them. Default: false. */
  readonly leavesOcmKinds?: boolean;
}

/** Installs the fleet's CRDs and further ones, the namespace, and the rights of namespace owners. */
export async function installHub(
  client: Client,
  { further = [], hasDefinitions = false, signal, leavesOcmKinds = false }: InstallHubOptions = {},
): Promise<void> {
  const definitions = [...(hasDefinitions ? [] : await hubDefinitions()), ...further];
  const leaves = ({ spec }: CustomResourceDefinition): boolean => leavesOcmKinds && spec.group === ocmGroup;
  await Promise.all([
    definitions.length > 0 && installDefinitions(client, definitions, { ...(signal && { signal }), leaves }),
    ensureFleetNamespace(client),
    ...namespaceRoles.map((role) => ensure(client, clusterRoles, role)),
  ]);
}

export function ensureFleetNamespace(client: Client): Promise<void> {
  return ensure(client, namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: fleetNamespace } });
}

/** Grants the controllers their rights and their seats. Only for a hub with its own server. */
export async function ensureHubRole(client: Client, hasNetworkingAgents: boolean): Promise<void> {
  const apiVersion = apiVersionOf(clusterRoles);
  const metadata = { name: hubUser.name };
  const rules = [...hubRules(hasNetworkingAgents)];
  const roleRef = { apiGroup: rbacGroup, kind: 'ClusterRole', name: hubUser.name };
  const subjects = [{ kind: 'User', apiGroup: rbacGroup, name: hubUser.name }];
  await Promise.all([
    ensure(client, clusterRoles, { apiVersion, kind: 'ClusterRole', metadata, rules }),
    ensure(client, clusterRoleBindings, { apiVersion, kind: 'ClusterRoleBinding', metadata, subjects, roleRef }),
    ensure(client, flowSchemas, hubFlowSchema),
  ]);
}

const flowSchemas: Kind = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'FlowSchema',
  plural: 'flowschemas',
  namespaced: false,
};

const any = ['*'];

/** The controllers have the priority that kube-controller-manager has. Their requests for one member do not hold up those for another. */
const hubFlowSchema: KubeObject = {
  apiVersion: apiVersionOf(flowSchemas),
  kind: flowSchemas.kind,
  metadata: { name: hubUser.name },
  spec: {
    priorityLevelConfiguration: { name: 'workload-high' },
    matchingPrecedence: 800,
    distinguisherMethod: { type: 'ByNamespace' },
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: hubUser.name } }],
        resourceRules: [{ verbs: any, apiGroups: any, resources: any, clusterScope: true, namespaces: any }],
        nonResourceRules: [{ verbs: any, nonResourceURLs: any }],
      },
    ],
  },
};

/** Writes only what is missing or different. */
async function ensure<T extends KubeObject>(client: Client, kind: Kind<T>, wanted: T): Promise<void> {
  const name = wanted.metadata.name ?? '';
  const before = await client.get(kind, { name }).catch(ignoreNotFound);
  if (before === undefined) await client.create(kind, wanted).catch(ignoreAlreadyExists);
  else {
    const after = { ...before, ...wanted, metadata: before.metadata };
    if (!jsonEquals(before, after)) await client.update(kind, after);
  }
}
