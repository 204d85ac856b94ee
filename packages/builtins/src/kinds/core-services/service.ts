import { nameIsDnsLabel, warningsForCidr, warningsForIp, type KubeObject } from '@flotilla/kube';
import { age, ageColumn, column, labelsText, nameColumn, wideColumn } from '../../columns.ts';
import type { Columns, KindBehavior } from '../../kind.ts';
import { loadBalancerText, loadBalancerWarnings, validateLoadBalancerStatus } from './load-balancer-status.ts';
import { dropTypeDependentFields } from './service-carry-over.ts';
import {
  isExternallyAccessible,
  serviceOf,
  type ServiceFields,
  type ServicePort,
  type ServiceSpec,
} from './service-fields.ts';
import { validateServiceChange } from './service-update.ts';
import { topologyHints, validateService } from './service-validation.ts';

const serviceColumns: Columns = {
  definitions: [
    nameColumn,
    column('Type', 'string', 'The type of the service.'),
    column('Cluster-IP', 'string', 'Address of the service inside the cluster.'),
    column('External-IP', 'string', 'Addresses of the service outside the cluster.'),
    column('Port(s)', 'string', 'Ports of the service, with their node ports.'),
    ageColumn,
    wideColumn('Selector', 'string', 'Labels of the pods behind the service.'),
  ],
  cells(object, now) {
    const service = object as KubeObject & ServiceFields;
    const { type = '', clusterIPs = [], ports = [], selector } = service.spec;
    return [
      object.metadata.name ?? '',
      type,
      clusterIPs[0] ?? '<none>',
      externalText(service),
      ports.map(portText).join(',') || '<none>',
      age(object, now),
      labelsText(selector),
    ];
  },
};

/** service-allocation.ts allocates cluster IPs and node ports before these hooks run. */
export const serviceKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'Service',
  nameRule: nameIsDnsLabel,
  createOnUpdate: true,
  returnsDeletedObject: true,
  setDefaults: (object) => setServiceDefaults(serviceOf(object)),
  prepareForCreate(object) {
    const service = serviceOf(object);
    service.status = { loadBalancer: {} };
    dropUnusedInternalPolicy(service.spec);
  },
  prepareForUpdate(object, old) {
    const service = serviceOf(object);
    const before = serviceOf(old);
    service.status = before.status ?? { loadBalancer: {} };
    dropTypeDependentFields(service, before);
    dropUnusedInternalPolicy(service.spec);
  },
  validate: (object) => validateService(serviceOf(object), undefined),
  validateUpdate(object, old) {
    const service = serviceOf(object);
    const before = serviceOf(old);
    return [...validateServiceChange(service.spec, before.spec), ...validateService(service, before)];
  },
  warnings: (object) => serviceWarnings(serviceOf(object)),
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        serviceOf(object).spec = serviceOf(old).spec;
      },
      validateUpdate(object, old) {
        const { spec, status } = serviceOf(object);
        return validateLoadBalancerStatus(spec, status, serviceOf(old).status);
      },
      warnings: (object) => loadBalancerWarnings(serviceOf(object).status?.loadBalancer.ingress),
      resetFields: [['spec']],
    },
  },
  fieldLabels: ['spec.clusterIP', 'spec.type'],
  selectableFields(object) {
    const { clusterIP = '', type = '' } = specOf(object);
    return { 'spec.clusterIP': clusterIP, 'spec.type': type };
  },
  columns: serviceColumns,
  resetFields: [['status']],
};

/** Does not change a stored object. */
function specOf(object: KubeObject): ServiceSpec {
  return (object as KubeObject & Partial<ServiceFields>).spec ?? {};
}

/** ExternalName ignores the field, and Kubernetes never shows it there. Validation still refuses an invalid value. */
function dropUnusedInternalPolicy(spec: ServiceSpec): void {
  const { internalTrafficPolicy: policy } = spec;
  if (spec.type === 'ExternalName' && (policy === 'Cluster' || policy === 'Local')) delete spec.internalTrafficPolicy;
}

function externalText({ spec, status }: ServiceFields): string {
  const { type = '', externalIPs = [], externalName = '' } = spec;
  switch (type) {
    case 'ClusterIP':
    case 'NodePort':
      return externalIPs.join(',') || '<none>';
    case 'LoadBalancer': {
      const balanced = loadBalancerText(status?.loadBalancer.ingress);
      return [...(balanced === '' ? [] : [balanced]), ...externalIPs].join(',') || '<pending>';
    }
    case 'ExternalName':
      return externalName;
    default:
      return '<unknown>';
  }
}

function portText({ port, nodePort = 0, protocol = '' }: ServicePort): string {
  return nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;
}

const defaultAffinitySeconds = 10800;

function setServiceDefaults({ spec, status }: ServiceFields): void {
  spec.sessionAffinity ||= 'None';
  setAffinityConfig(spec);
  spec.type ||= 'ClusterIP';
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP';
    port.targetPort ||= port.port;
  }
  if (isExternallyAccessible(spec)) spec.externalTrafficPolicy ||= 'Cluster';
  if (spec.type === 'ClusterIP' || spec.type === 'NodePort' || spec.type === 'LoadBalancer') {
    spec.internalTrafficPolicy ??= 'Cluster';
  }
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of status?.loadBalancer?.ingress ?? []) {
    if (ingress.ip) ingress.ipMode ??= 'VIP';
  }
}

function setAffinityConfig(spec: ServiceSpec): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') return;
  if (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds !== undefined) return;
  spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: defaultAffinitySeconds } };
}

/** Runs after validation. */
function serviceWarnings({ metadata, spec }: ServiceFields): string[] {
  return [
    ...(metadata.annotations?.[topologyHints] === undefined ? [] : [topologyWarning]),
    ...clusterIPWarnings(spec),
    ...externalWarnings(spec),
    ...loadBalancerFieldWarnings(spec),
    ...ignoredWarnings(spec),
  ];
}

const topologyWarning = `annotation ${topologyHints} is deprecated, please use service.kubernetes.io/topology-mode instead`;

function clusterIPWarnings(spec: ServiceSpec): string[] {
  const { clusterIPs = [], externalIPs = [], loadBalancerIP = '', sessionAffinity } = spec;
  if (!isHeadless(spec)) {
    return clusterIPs.flatMap((ip, index) => (ip === 'None' ? [] : warningsForIp(`spec.clusterIPs[${index}]`, ip)));
  }
  const ignored: string[] = [];
  if (loadBalancerIP !== '') ignored.push('spec.loadBalancerIP');
  if (externalIPs.length > 0) ignored.push('spec.externalIPs');
  if (sessionAffinity !== 'None') ignored.push('spec.SessionAffinity');
  return ignored.map((field) => `${field} is ignored for headless services`);
}

function externalWarnings(spec: ServiceSpec): string[] {
  const { externalIPs = [], type } = spec;
  const warnings = externalIPs.flatMap((ip, index) => warningsForIp(`spec.externalIPs[${index}]`, ip));
  if (externalIPs.length > 0 && !isHeadless(spec) && type !== 'ExternalName') {
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  }
  return warnings;
}

function loadBalancerFieldWarnings({ loadBalancerIP = '', loadBalancerSourceRanges = [] }: ServiceSpec): string[] {
  return [
    ...(loadBalancerIP === '' ? [] : warningsForIp('spec.loadBalancerIP', loadBalancerIP)),
    ...loadBalancerSourceRanges.flatMap((cidr, index) =>
      warningsForCidr(`spec.loadBalancerSourceRanges[${index}]`, cidr),
    ),
  ];
}

function ignoredWarnings({ type, externalIPs = [], externalName = '', trafficDistribution }: ServiceSpec): string[] {
  const warnings: string[] = [];
  if (type === 'ExternalName' && externalIPs.length > 0) {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (type !== 'ExternalName' && externalName !== '') {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (trafficDistribution === 'PreferClose') {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}

/** Unlike validation, warnings check the type as well. */
function isHeadless({ type, clusterIP }: ServiceSpec): boolean {
  return type === 'ClusterIP' && clusterIP === 'None';
}
