/**
 * The schema of a fleet file. Types, validation, `--print-file` and docs/fleet-file.md come from it. Each default is the
 * value that a file without the field has, so a change of one needs a new apiVersion: stored files omit what equals it.
 */
import { s, type Infer } from '@flotilla/schema';
import { defaultBehaviour, outcomes } from '@flotilla/simulator';

export const fleetApiVersion = 'flotilla.dev/v1alpha1';

/** Largest number of clusters that one data directory is built for. */
export const maxMembers = 2000;

/** Largest number of nodes of one member. */
const maxNodes = 5000;

const file = { format: 'file' } as const;
const duration = { format: 'duration' } as const;
const delay = { format: 'delay' } as const;

const prefixes = s.withDefault(
  s.list(s.string('Lowercase letters, digits and hyphens.'), 'How the names of reserved namespaces begin.', {
    maxItems: 1000,
  }),
  ['fleet-', 'kube-'],
);

const nodeTaint = s.object('A taint of a node.', {
  key: s.string('Key that tolerations refer to.', { format: 'label-key' }),
  value: s.optional(s.string('Value that tolerations may compare.', { format: 'label-value' })),
  effect: s.oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute'], 'What happens to pods that do not tolerate it.'),
});

const nodeGroup = s.object('Nodes that are alike.', {
  count: s.withDefault(s.integer('Number of nodes.', { minimum: 0, maximum: maxNodes }), 1),
  name: s.withDefault(
    s.string('They are named NAME-1, NAME-2 and so on, across all groups of this name.', { format: 'node-name' }),
    'node',
  ),
  instanceType: s.optional(
    s.string('Machine size: a label of the nodes, and the key in price tables.', { format: 'label-value' }),
  ),
  zone: s.optional(s.string('Zone, a label of the nodes.', { format: 'label-value' })),
  cpu: s.optional(s.string('CPU of each node; that of the instance type when left out, or 4.', { format: 'quantity' })),
  memory: s.optional(
    s.string('Memory of each node; that of the instance type when left out, or 16Gi.', { format: 'quantity' }),
  ),
  pods: s.optional(
    s.integer('Largest number of pods of each node; 110 when left out.', { minimum: 0, maximum: 10_000 }),
  ),
  labels: s.withDefault(
    s.map(s.string('Value of the label.', { format: 'label-value' }), 'Further labels of the nodes.'),
    {},
  ),
  taints: s.withDefault(s.list(nodeTaint, 'Taints of the nodes.', { maxItems: 100 }), []),
});

const outcome = s.oneOf(
  outcomes,
  'What becomes of a container: ready (in a Job, it ends well), never (runs, but is not ready), crash, fail, succeed, or image-error.',
);

const workloadRule = s.object('An outcome for some containers. It applies where all of its conditions hold.', {
  images: s.optional(
    s.list(
      s.string('A pattern.', { minLength: 1 }),
      'Patterns of images; `*` stands for any characters. Without a slash, the last part of an image counts; without a tag, every tag.',
      { maxItems: 100 },
    ),
  ),
  labels: s.withDefault(
    s.map(s.string('Value of the label.', { format: 'label-value' }), 'Labels that the pod must have.'),
    {},
  ),
  share: s.withDefault(s.number('The share of pods, chosen by the seed.', { minimum: 0, maximum: 1 }), 1),
  outcome,
});

const delays = s.object('How long the steps of a pod take, one after another.', {
  scheduling: s.withDefault(s.string('Until it is assigned to a node.', delay), '0s'),
  pulling: s.withDefault(s.string('Until its images are pulled.', delay), '0s'),
  starting: s.withDefault(s.string('Until its containers run.', delay), '0s'),
  readiness: s.withDefault(s.string('Until they are ready.', delay), '0s'),
  running: s.withDefault(s.string('How long containers run that end by themselves.', delay), '0s'),
  termination: s.withDefault(
    s.string('From the request to delete it until it is gone; at most its grace period.', delay),
    '0s',
  ),
  jitter: s.withDefault(
    s.number('Each delay differs by up to this share of itself; the seed chooses.', { minimum: 0, maximum: 1 }),
    0,
  ),
});

const seed = s.integer('The same seed and the same pods give the same outcomes and delays.', {
  minimum: 0,
  maximum: 2 ** 32 - 1,
});
const rules = s.list(workloadRule, 'The first rule that applies to a container decides.', { maxItems: 1000 });
const otherOutcome = s.oneOf(outcomes, 'For containers without a rule.');
const loadBalancers = s.boolean('Whether Services of type LoadBalancer get an address.');
const storageClasses = s.list(s.string('Name of a StorageClass.'), 'Storage classes whose claims are bound.', {
  maxItems: 100,
});

const workloads = s.object('How simulated workloads behave, on all members and on the hub.', {
  seed: s.withDefault(seed, defaultBehaviour.seed),
  rules: s.withDefault(
    rules,
    defaultBehaviour.rules.map((rule) => ({ ...rule }) as Infer<typeof workloadRule>),
  ),
  outcome: s.withDefault(otherOutcome, defaultBehaviour.outcome),
  delays: s.fromDefaults(delays),
  loadBalancers: s.withDefault(loadBalancers, defaultBehaviour.loadBalancers),
  storageClasses: s.withDefault(storageClasses, [...defaultBehaviour.storageClasses]),
});

const memberWorkloads = s.object(
  'How workloads behave on this member. What is left out is as in `workloads` of the fleet.',
  {
    seed: s.optional(seed),
    rules: s.optional(rules),
    outcome: s.optional(otherOutcome),
    delays: s.optional(delays),
    loadBalancers: s.optional(loadBalancers),
    storageClasses: s.optional(storageClasses),
  },
);

const memberTaint = s.object('A taint of a MemberCluster.', {
  key: s.string('Key that tolerations refer to.', { format: 'label-key' }),
  value: s.optional(s.string('Value that tolerations may compare.', { format: 'label-value' })),
  effect: s.withDefault(
    s.oneOf(['NoSchedule'], 'No new placement is scheduled here; existing ones stay.'),
    'NoSchedule',
  ),
});

const memberProperties = s.object('What the agent reports beside resources.', {
  provider: s.withDefault(
    s.oneOf(['none', 'default', 'azure'], 'Property provider; docs/property-providers.md says what each reports.'),
    'none',
  ),
  prices: s.withDefault(
    s.map(
      s.number('Price of one machine for an hour.', { minimum: 0 }),
      'azure: prices by machine size. They never expire.',
    ),
    {},
  ),
  priceTable: s.optional(s.string('azure: file with prices, instead of `prices`; read again when it changes.', file)),
  costs: s.withDefault(s.boolean('azure: whether to report costs.'), true),
  availableResources: s.withDefault(s.boolean('Whether to report what pods leave of cpu and memory.'), true),
  namespaces: s.withDefault(
    s.boolean('Whether to report namespaces, so that namespaced placements only go where theirs exists.'),
    true,
  ),
});

const member = s.object('One member, or several that are alike.', {
  name: s.optional(s.string('Name of the MemberCluster. Each entry has `name` or `names`.')),
  names: s.optional(s.string('Names of several members: `west-{01..20}` means west-01 to west-20.')),
  context: s.optional(s.string('Context in the written kubeconfig; the name of the member when left out.')),
  join: s.withDefault(
    s.oneOf(['itself', 'waits'], '`waits`: the member does not join until a user creates its MemberCluster.'),
    'itself',
  ),
  labels: s.withDefault(
    s.map(s.string('Value of the label.', { format: 'label-value' }), 'Labels of the MemberCluster.'),
    {},
  ),
  annotations: s.withDefault(
    s.map(s.string('Value of the annotation.', { format: 'annotation-value' }), 'Annotations of the MemberCluster.'),
    {},
  ),
  taints: s.withDefault(s.list(memberTaint, 'Taints of the MemberCluster.', { maxItems: 100 }), []),
  heartbeat: s.withDefault(s.string('Time between two heartbeats, from 1s to 10m.', duration), '1m'),
  serviceAccount: s.optional(
    s.string('Identity of the agent on the hub, in fleet-system; NAME-hub-cluster-access when left out.'),
  ),
  tokenSecret: s.optional(s.string('Secret in fleet-system to create, with a token of the service account.')),
  agent: s.withDefault(
    s.oneOf(
      ['embedded', 'deployment'],
      '`deployment`: the agent runs while the Deployment fleet-system/member-agent of the member has a ready pod.',
    ),
    'embedded',
  ),
  priorityQueue: s.withDefault(s.boolean('Whether the agent processes new, deleted and unhealthy Works first.'), false),
  maxRequeueDelay: s.optional(s.string('Longest time until the agent looks at a Work again, from 2s to 1h.', duration)),
  properties: s.fromDefaults(memberProperties),
  region: s.optional(
    s.string('Region of all nodes, as their label; costs are looked up in it.', { format: 'label-value' }),
  ),
  nodes: s.withDefault(
    s.list(nodeGroup, 'Groups of simulated nodes; three of the default size when left out.', { maxItems: 100 }),
    [{ count: 3 } as Infer<typeof nodeGroup>],
  ),
  workloads: s.optional(memberWorkloads),
  kubeconfig: s.optional(
    s.string('A real cluster: its kubeconfig. Its agent runs in this process, and no cluster is simulated.', file),
  ),
  kubeContext: s.optional(s.string('Context of `kubeconfig`; its current one when left out.')),
});

const hub = s.object('The hub. Its flags have the names of those of `flotilla hub`; a flag on the command line wins.', {
  context: s.withDefault(s.string('Context of the hub in the written kubeconfig.'), 'hub'),
  simulator: s.withDefault(s.boolean('Whether workloads on the hub are simulated, too.'), false),
  nodes: s.withDefault(
    s.list(nodeGroup, 'Groups of nodes of the hub, if its workloads are simulated.', { maxItems: 100 }),
    [{} as Infer<typeof nodeGroup>],
  ),
  definitions: s.withDefault(
    s.list(
      s.string('`networking`, or a file.', { format: 'definitions', minLength: 1 }),
      'CustomResourceDefinitions to install: those of fleet networking by the word `networking`, others by file.',
      { maxItems: 100 },
    ),
    [],
  ),
  dataDir: s.optional(
    s.string('Directory to store objects and keys in; .data/NAME when left out, with the NAME of --name.', file),
  ),
  memory: s.withDefault(s.boolean('Store nothing on disk.'), false),
  port: s.withDefault(s.integer('Port to listen on; 0 means any free port.', { minimum: 0, maximum: 65_535 }), 6443),
  host: s.withDefault(s.string('Address to listen on.', { minLength: 1 }), '127.0.0.1'),
  writeKubeconfig: s.optional(s.string('Kubeconfig to add the access to all clusters to.', file)),
  tokenAuthFile: s.optional(s.string('Static tokens: a CSV file of token,user,uid,"group1,group2".', file)),
  clientCaFile: s.optional(s.string('Further CAs that sign client certificates.', file)),
  tlsCertFile: s.optional(s.string("Serving certificate instead of the server's own.", file)),
  tlsPrivateKeyFile: s.optional(s.string('Key of `tlsCertFile`.', file)),
  anonymousAuth: s.withDefault(s.boolean('Accept requests without credentials, as system:anonymous.'), true),
  authenticationConfig: s.optional(s.string("Issuers of users' tokens: an AuthenticationConfiguration.", file)),
  oidcIssuerUrl: s.optional(s.string('One OpenID Connect issuer, without a file.', { minLength: 1 })),
  oidcClientId: s.optional(s.string('Audience of its tokens.', { minLength: 1 })),
  oidcCaFile: s.optional(s.string('CAs of the issuer.', file)),
  oidcUsernameClaim: s.optional(s.string("Claim with the user's name; `sub` when left out.", { minLength: 1 })),
  oidcUsernamePrefix: s.optional(s.string("Prefix of users' names; `-` means none.")),
  oidcGroupsClaim: s.optional(s.string("Claim with the user's groups.", { minLength: 1 })),
  oidcGroupsPrefix: s.optional(s.string("Prefix of groups' names.")),
  oidcSigningAlgs: s.optional(
    s.list(s.string('Name of an algorithm.', { minLength: 1 }), 'Accepted algorithms; `RS256` when left out.', {
      maxItems: 20,
    }),
  ),
  oidcRequiredClaim: s.optional(
    s.list(s.string('`claim=value`.', { minLength: 3 }), 'Claims that a token must have.', { maxItems: 100 }),
  ),
  auditPolicyFile: s.optional(s.string('Requests to record: a Policy of audit.k8s.io/v1.', file)),
  auditLogPath: s.optional(s.string('File to record requests in.', file)),
  auditWebhookConfigFile: s.optional(s.string('Kubeconfig of a receiver of recorded requests.', file)),
  forceDeleteWaitTime: s.withDefault(
    s.string('Time that a member has to leave before it is removed, from 30s to 1h.', duration),
    '15m',
  ),
  clusterUnhealthyThreshold: s.withDefault(
    s.string('Time without a heartbeat after which a member is unhealthy, from 30s to 1h.', duration),
    '1m',
  ),
  networkingAgentsEnabled: s.withDefault(s.boolean('Members also run the agents of fleet networking.'), false),
  enableClusterInventoryApis: s.withDefault(s.boolean('Keep a ClusterProfile for each member.'), true),
  enableStagedUpdateRunApis: s.withDefault(s.boolean('Run staged updates.'), true),
  enableEvictionApis: s.withDefault(s.boolean('Evict placements from clusters.'), true),
  enableResourcePlacement: s.withDefault(s.boolean('Place what ResourcePlacements select.'), true),
  resourceSnapshotCreationMinimumInterval: s.withDefault(
    s.string('Least time between two resource snapshots of a placement, up to 5m.', delay),
    '0s',
  ),
  resourceChangesCollectionDuration: s.withDefault(
    s.string('Time to collect changes of resources into one snapshot, up to 1m.', delay),
    '0s',
  ),
  updateRunStuckThreshold: s.withDefault(
    s.string('Time after which an update run calls a cluster stuck, from 1s to 720h.', duration),
    '5m',
  ),
  requireSameStrategy: s.withDefault(
    s.boolean('An update run fails if another one of its placement follows another strategy.'),
    false,
  ),
  evictionTtl: s.withDefault(
    s.string('Time after which decided evictions are deleted, up to 24h; 0s keeps them.', delay),
    '24h',
  ),
  controllers: s.withDefault(
    s.string('Controllers to run, comma-separated; `*` means all, and a dash before a name leaves it out.'),
    '*',
  ),
  newMemberTaint: s.optional(
    s.string('Taint for new members, `KEY=VALUE:NoSchedule`: placements use them when it is removed.'),
  ),
  skippedPropagatingApis: s.optional(
    s.string(
      'APIs that are never placed, beside those of the fleet: `GROUP`, `GROUP/VERSION` or `GROUP/VERSION/KIND,KIND`, separated by semicolons.',
    ),
  ),
  allowedPropagatingApis: s.optional(s.string('The only APIs that are placed, in the same form.')),
  skippedPropagatingNamespaces: s.optional(
    s.string('Namespaces that are never placed, beside `default`, `fleet-*` and `kube-*`, comma-separated.'),
  ),
  enableWorkload: s.withDefault(
    s.boolean(
      'Pods and ReplicaSets may be created on the hub. Its PersistentVolumeClaims belong to them, and are not placed.',
    ),
    false,
  ),
  enablePdbs: s.withDefault(s.boolean('PodDisruptionBudgets may be created on the hub.'), true),
  enableGuardRail: s.withDefault(
    s.boolean('Only some users may change objects of the fleet, and those in `fleet-*` and `kube-*` namespaces.'),
    false,
  ),
  whitelistedUsers: s.withDefault(
    s.list(s.string('A user.', { minLength: 1 }), 'Users that the guard rail trusts.', { maxItems: 1000 }),
    [],
  ),
  admissionPolicies: s.optional(
    s.object('Admission policies to install on the hub, each if it is present.', {
      denyPodsAndReplicaSetsOutsideReservedNamespaces: s.optional(
        s.object('Refuses pods and ReplicaSets, except in reserved namespaces.', {
          reservedNamespacePrefixes: prefixes,
        }),
      ),
      denyServiceAccountsAndTokenRequestsInReservedNamespaces: s.optional(
        s.object('Refuses changes of service accounts and requests for their tokens in reserved namespaces.', {
          reservedNamespacePrefixes: prefixes,
          whitelistedUsernames: s.withDefault(s.list(s.string('A user.'), 'Users that may.', { maxItems: 1000 }), []),
          whitelistedUserGroups: s.withDefault(
            s.list(s.string('A group.'), 'Groups that may.', { maxItems: 1000 }),
            [],
          ),
        }),
      ),
    }),
  ),
  denyModifyMemberClusterLabels: s.withDefault(
    s.boolean('With the guard rail, only administrators may change labels of MemberClusters that Azure manages.'),
    false,
  ),
  clusterScopedInConfigMaps: s.withDefault(
    s.boolean('ConfigMaps that are envelopes may contain cluster-scoped objects.'),
    false,
  ),
  schedulingHeartbeatTimeout: s.withDefault(
    s.string('Time without a heartbeat after which placements avoid a cluster, from 1s to 720h.', duration),
    '5m',
  ),
  schedulingHealthTimeout: s.withDefault(
    s.string('Time that a cluster may be unhealthy before placements avoid it, from 1s to 720h.', duration),
    '5m',
  ),
  schedulerPlugin: s.optional(
    s.list(s.string('A module.', file), 'Files with further rules for the choice of clusters.'),
  ),
  logLevel: s.withDefault(s.oneOf(['debug', 'info', 'warn', 'error'], 'Minimum level to log.'), 'warn'),
});

export const fleet = s.object('A fleet in one process: a hub, and members that join it.', {
  apiVersion: s.withDefault(s.oneOf([fleetApiVersion], 'Version of this schema.'), fleetApiVersion),
  kind: s.withDefault(s.oneOf(['Fleet'], 'Always Fleet.'), 'Fleet'),
  hub: s.fromDefaults(hub),
  workloads: s.fromDefaults(workloads),
  members: s.withDefault(s.list(member, 'The members; three of the default shape when left out.'), [
    { names: 'member-{1..3}' } as Infer<typeof member>,
  ]),
});

export type FleetFile = Infer<typeof fleet>;
export type HubFile = Infer<typeof hub>;
export type MemberFile = Infer<typeof member>;
export type WorkloadsFile = Infer<typeof workloads>;
export type WorkloadRuleFile = Infer<typeof workloadRule>;
export type DelaysFile = Infer<typeof delays>;
