/** Everything that kube-apiserver v1.36 serves with default flags, by group version, in the order of discovery. */
import type { GroupVersionRow, ResourceRow, SubresourceRow } from './served-resource.ts';

type Traits = Omit<ResourceRow, 'plural' | 'kind' | 'namespaced'>;

function namespaced(plural: string, kind: string, traits: Traits = {}): ResourceRow {
  return { plural, kind, namespaced: true, ...traits };
}

function clusterWide(plural: string, kind: string, traits: Traits = {}): ResourceRow {
  return { plural, kind, namespaced: false, ...traits };
}

/** A subresource that reads and writes part of the object itself. */
function part(name: string): SubresourceRow {
  return { name, verbs: ['get', 'patch', 'update'] };
}

function proxy(kind: string): SubresourceRow {
  return { name: 'proxy', kind, verbs: ['create', 'delete', 'get', 'patch', 'update'] };
}

function stream(name: string, kind: string): SubresourceRow {
  return { name, kind, verbs: ['create', 'get'] };
}

/** A review: the response is the result, nothing is stored. */
const review: Traits = { verbs: ['create'], isVirtual: true };

const status = part('status');
const scale: SubresourceRow = { ...part('scale'), kind: 'Scale', group: 'autoscaling', version: 'v1' };

const core: GroupVersionRow = {
  group: '',
  version: 'v1',
  groupPriority: 18000,
  versionPriority: 1,
  resources: [
    namespaced('bindings', 'Binding', { verbs: ['create'], isVirtual: true }),
    clusterWide('componentstatuses', 'ComponentStatus', {
      shortNames: ['cs'],
      verbs: ['get', 'list'],
      isVirtual: true,
    }),
    namespaced('configmaps', 'ConfigMap', { shortNames: ['cm'] }),
    namespaced('endpoints', 'Endpoints', { shortNames: ['ep'], registryPrefix: 'services/endpoints' }),
    namespaced('events', 'Event', { shortNames: ['ev'] }),
    namespaced('limitranges', 'LimitRange', { shortNames: ['limits'] }),
    clusterWide('namespaces', 'Namespace', {
      shortNames: ['ns'],
      verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
      subresources: [{ name: 'finalize', verbs: ['update'] }, status],
    }),
    clusterWide('nodes', 'Node', {
      shortNames: ['no'],
      registryPrefix: 'minions',
      subresources: [proxy('NodeProxyOptions'), status],
    }),
    namespaced('persistentvolumeclaims', 'PersistentVolumeClaim', { shortNames: ['pvc'], subresources: [status] }),
    clusterWide('persistentvolumes', 'PersistentVolume', { shortNames: ['pv'], subresources: [status] }),
    namespaced('pods', 'Pod', {
      shortNames: ['po'],
      categories: ['all'],
      subresources: [
        stream('attach', 'PodAttachOptions'),
        { name: 'binding', kind: 'Binding', verbs: ['create'] },
        part('ephemeralcontainers'),
        { name: 'eviction', kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
        stream('exec', 'PodExecOptions'),
        { name: 'log', verbs: ['get'] },
        stream('portforward', 'PodPortForwardOptions'),
        proxy('PodProxyOptions'),
        part('resize'),
        status,
      ],
    }),
    namespaced('podtemplates', 'PodTemplate'),
    namespaced('replicationcontrollers', 'ReplicationController', {
      shortNames: ['rc'],
      categories: ['all'],
      registryPrefix: 'controllers',
      subresources: [scale, status],
    }),
    namespaced('resourcequotas', 'ResourceQuota', { shortNames: ['quota'], subresources: [status] }),
    namespaced('secrets', 'Secret'),
    namespaced('serviceaccounts', 'ServiceAccount', {
      shortNames: ['sa'],
      subresources: [
        { name: 'token', kind: 'TokenRequest', group: 'authentication.k8s.io', version: 'v1', verbs: ['create'] },
      ],
    }),
    namespaced('services', 'Service', {
      shortNames: ['svc'],
      categories: ['all'],
      registryPrefix: 'services/specs',
      subresources: [proxy('ServiceProxyOptions'), status],
    }),
  ],
};

const apiregistration: GroupVersionRow = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  groupPriority: 20000,
  versionPriority: 100,
  resources: [
    clusterWide('apiservices', 'APIService', {
      categories: ['api-extensions'],
      registryPrefix: 'apiregistration.k8s.io/apiservices',
      subresources: [status],
    }),
  ],
};

const apps: GroupVersionRow = {
  group: 'apps',
  version: 'v1',
  groupPriority: 17800,
  versionPriority: 15,
  resources: [
    namespaced('controllerrevisions', 'ControllerRevision'),
    namespaced('daemonsets', 'DaemonSet', { shortNames: ['ds'], categories: ['all'], subresources: [status] }),
    namespaced('deployments', 'Deployment', {
      shortNames: ['deploy'],
      categories: ['all'],
      subresources: [scale, status],
    }),
    namespaced('replicasets', 'ReplicaSet', { shortNames: ['rs'], categories: ['all'], subresources: [scale, status] }),
    namespaced('statefulsets', 'StatefulSet', {
      shortNames: ['sts'],
      categories: ['all'],
      subresources: [scale, status],
    }),
  ],
};

const events: GroupVersionRow = {
  group: 'events.k8s.io',
  version: 'v1',
  groupPriority: 17750,
  versionPriority: 15,
  resources: [namespaced('events', 'Event', { shortNames: ['ev'], storedAs: { group: '', version: 'v1' } })],
};

const authentication: GroupVersionRow = {
  group: 'authentication.k8s.io',
  version: 'v1',
  groupPriority: 17700,
  versionPriority: 15,
  resources: [
    clusterWide('selfsubjectreviews', 'SelfSubjectReview', review),
    clusterWide('tokenreviews', 'TokenReview', review),
  ],
};

const authorization: GroupVersionRow = {
  group: 'authorization.k8s.io',
  version: 'v1',
  groupPriority: 17600,
  versionPriority: 15,
  resources: [
    namespaced('localsubjectaccessreviews', 'LocalSubjectAccessReview', review),
    clusterWide('selfsubjectaccessreviews', 'SelfSubjectAccessReview', review),
    clusterWide('selfsubjectrulesreviews', 'SelfSubjectRulesReview', review),
    clusterWide('subjectaccessreviews', 'SubjectAccessReview', review),
  ],
};

const autoscaler: ResourceRow = namespaced('horizontalpodautoscalers', 'HorizontalPodAutoscaler', {
  shortNames: ['hpa'],
  categories: ['all'],
  subresources: [status],
  storedAs: { group: 'autoscaling', version: 'v2' },
});

const autoscalingV2: GroupVersionRow = {
  group: 'autoscaling',
  version: 'v2',
  groupPriority: 17500,
  versionPriority: 30,
  resources: [autoscaler],
};

const autoscalingV1: GroupVersionRow = { ...autoscalingV2, version: 'v1', versionPriority: 15 };

const batch: GroupVersionRow = {
  group: 'batch',
  version: 'v1',
  groupPriority: 17400,
  versionPriority: 15,
  resources: [
    namespaced('cronjobs', 'CronJob', { shortNames: ['cj'], categories: ['all'], subresources: [status] }),
    namespaced('jobs', 'Job', { categories: ['all'], subresources: [status] }),
  ],
};

const certificates: GroupVersionRow = {
  group: 'certificates.k8s.io',
  version: 'v1',
  groupPriority: 17300,
  versionPriority: 15,
  resources: [
    clusterWide('certificatesigningrequests', 'CertificateSigningRequest', {
      shortNames: ['csr'],
      subresources: [part('approval'), status],
    }),
  ],
};

const networking: GroupVersionRow = {
  group: 'networking.k8s.io',
  version: 'v1',
  groupPriority: 17200,
  versionPriority: 15,
  resources: [
    clusterWide('ingressclasses', 'IngressClass'),
    namespaced('ingresses', 'Ingress', { shortNames: ['ing'], registryPrefix: 'ingress', subresources: [status] }),
    clusterWide('ipaddresses', 'IPAddress', { shortNames: ['ip'] }),
    namespaced('networkpolicies', 'NetworkPolicy', { shortNames: ['netpol'] }),
    clusterWide('servicecidrs', 'ServiceCIDR', { subresources: [status] }),
  ],
};

const policy: GroupVersionRow = {
  group: 'policy',
  version: 'v1',
  groupPriority: 17100,
  versionPriority: 15,
  resources: [
    namespaced('poddisruptionbudgets', 'PodDisruptionBudget', { shortNames: ['pdb'], subresources: [status] }),
  ],
};

const rbac: GroupVersionRow = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  groupPriority: 17000,
  versionPriority: 15,
  resources: [
    clusterWide('clusterrolebindings', 'ClusterRoleBinding'),
    clusterWide('clusterroles', 'ClusterRole'),
    namespaced('rolebindings', 'RoleBinding'),
    namespaced('roles', 'Role'),
  ],
};

const storage: GroupVersionRow = {
  group: 'storage.k8s.io',
  version: 'v1',
  groupPriority: 16800,
  versionPriority: 15,
  resources: [
    clusterWide('csidrivers', 'CSIDriver'),
    clusterWide('csinodes', 'CSINode'),
    namespaced('csistoragecapacities', 'CSIStorageCapacity'),
    clusterWide('storageclasses', 'StorageClass', { shortNames: ['sc'] }),
    clusterWide('volumeattachments', 'VolumeAttachment', { subresources: [status] }),
    clusterWide('volumeattributesclasses', 'VolumeAttributesClass', { shortNames: ['vac'] }),
  ],
};

/** kube-apiserver v1.36 still stores the beta of these, so that a downgrade can read them. */
const storedAsBeta = { group: 'admissionregistration.k8s.io', version: 'v1beta1' };

const admissionregistration: GroupVersionRow = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  groupPriority: 16700,
  versionPriority: 15,
  resources: [
    clusterWide('mutatingadmissionpolicies', 'MutatingAdmissionPolicy', {
      categories: ['api-extensions'],
      storedAs: storedAsBeta,
    }),
    clusterWide('mutatingadmissionpolicybindings', 'MutatingAdmissionPolicyBinding', {
      categories: ['api-extensions'],
      storedAs: storedAsBeta,
    }),
    clusterWide('mutatingwebhookconfigurations', 'MutatingWebhookConfiguration', { categories: ['api-extensions'] }),
    clusterWide('validatingadmissionpolicies', 'ValidatingAdmissionPolicy', {
      categories: ['api-extensions'],
      subresources: [status],
    }),
    clusterWide('validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding', {
      categories: ['api-extensions'],
    }),
    clusterWide('validatingwebhookconfigurations', 'ValidatingWebhookConfiguration', {
      categories: ['api-extensions'],
    }),
  ],
};

const apiextensions: GroupVersionRow = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  groupPriority: 16700,
  versionPriority: 15,
  resources: [
    clusterWide('customresourcedefinitions', 'CustomResourceDefinition', {
      shortNames: ['crd', 'crds'],
      categories: ['api-extensions'],
      registryPrefix: 'apiextensions.k8s.io/customresourcedefinitions',
      storedAs: { group: 'apiextensions.k8s.io', version: 'v1beta1' },
      subresources: [status],
    }),
  ],
};

const scheduling: GroupVersionRow = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  groupPriority: 16600,
  versionPriority: 15,
  resources: [clusterWide('priorityclasses', 'PriorityClass', { shortNames: ['pc'] })],
};

const coordination: GroupVersionRow = {
  group: 'coordination.k8s.io',
  version: 'v1',
  groupPriority: 16500,
  versionPriority: 15,
  resources: [namespaced('leases', 'Lease')],
};

const node: GroupVersionRow = {
  group: 'node.k8s.io',
  version: 'v1',
  groupPriority: 16300,
  versionPriority: 15,
  resources: [clusterWide('runtimeclasses', 'RuntimeClass')],
};

const discovery: GroupVersionRow = {
  group: 'discovery.k8s.io',
  version: 'v1',
  groupPriority: 16200,
  versionPriority: 15,
  resources: [namespaced('endpointslices', 'EndpointSlice')],
};

const resource: GroupVersionRow = {
  group: 'resource.k8s.io',
  version: 'v1',
  groupPriority: 16200,
  versionPriority: 21,
  resources: [
    clusterWide('deviceclasses', 'DeviceClass'),
    namespaced('resourceclaims', 'ResourceClaim', { subresources: [status] }),
    namespaced('resourceclaimtemplates', 'ResourceClaimTemplate'),
    clusterWide('resourceslices', 'ResourceSlice'),
  ],
};

const flowcontrol: GroupVersionRow = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  groupPriority: 16100,
  versionPriority: 21,
  resources: [
    clusterWide('flowschemas', 'FlowSchema', { subresources: [status] }),
    clusterWide('prioritylevelconfigurations', 'PriorityLevelConfiguration', { subresources: [status] }),
  ],
};

export const groupVersionRows: readonly GroupVersionRow[] = [
  core,
  apiregistration,
  apps,
  events,
  authentication,
  authorization,
  autoscalingV2,
  autoscalingV1,
  batch,
  certificates,
  networking,
  policy,
  rbac,
  storage,
  admissionregistration,
  apiextensions,
  scheduling,
  coordination,
  node,
  discovery,
  resource,
  flowcontrol,
];
