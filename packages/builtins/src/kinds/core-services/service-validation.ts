/** Validation of a single Service; service-update.ts compares it with the old one. */
import {
  forbidden,
  invalid,
  dns1123SubdomainProblems,
  pushAll,
  qualifiedNameProblems,
  portNumberProblems,
  notSupported,
  required,
  validateLabels,
  type FieldError,
  type ObjectMeta,
} from '@flotilla/kube';
import { noOldValues, validateEndpointIp, validateLegacyCidr, validateLegacyIp } from '../ip-field.ts';
import { invalids } from '../field-checks.ts';
import { validateClusterIPs } from './service-cluster-ips.ts';
import {
  isExternallyAccessible,
  isHeadless,
  needsHealthCheck,
  type ServiceFields,
  type ServiceSpec,
} from './service-fields.ts';
import { validatePorts, validateUniquePorts } from './service-ports.ts';

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];
const affinities = ['ClientIP', 'None'];
const trafficPolicies = ['Cluster', 'Local'];
const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
const maxAffinitySeconds = 86400;

const topologyMode = 'service.kubernetes.io/topology-mode';
export const topologyHints = 'service.kubernetes.io/topology-aware-hints';
const sourceRanges = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const onlyLoadBalancer = "may only be used when `type` is 'LoadBalancer'";

export function validateService({ metadata, spec }: ServiceFields, old: ServiceFields | undefined): FieldError[] {
  return [
    ...validateTopologyAnnotations(metadata),
    ...validateByType(spec),
    ...validatePorts(spec),
    ...(spec.selector === undefined ? [] : validateLabels(spec.selector, 'spec.selector')),
    ...validateAffinity(spec),
    ...validateClusterIPs(spec, old?.spec),
    ...validateExternalIPs(spec, old?.spec),
    ...validateType(spec),
    ...validateUniquePorts(spec),
    ...validateSourceRanges({ metadata, spec }, old),
    ...validateNodePortAllocation(spec),
    ...validateLoadBalancerClass(spec),
    ...validateExternalTraffic(spec),
    ...validateInternalTraffic(spec),
  ];
}

function validateTopologyAnnotations({ annotations = {} }: ObjectMeta): FieldError[] {
  const mode = annotations[topologyMode];
  const hints = annotations[topologyHints];
  if (mode === undefined || hints === undefined || mode === hints) return [];
  const detail = `must match annotations[${topologyHints}] when both are specified`;
  return [invalid(`metadata.annotations[${topologyMode}]`, mode, detail)];
}

function validateByType(spec: ServiceSpec): FieldError[] {
  const { type, ports = [] } = spec;
  const errors: FieldError[] = [];
  if (ports.length === 0 && !isHeadless(spec) && type !== 'ExternalName') errors.push(required('spec.ports'));
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(spec)) {
    errors.push(invalid('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`));
  }
  if (type === 'ExternalName') pushAll(errors, validateExternalName(spec));
  return errors;
}

function validateExternalName({ clusterIPs = [], ipFamilies = [], ...spec }: ServiceSpec): FieldError[] {
  const detail = 'may not be set for ExternalName services';
  const errors: FieldError[] = [];
  if (clusterIPs.length > 0) errors.push(forbidden('spec.clusterIPs', detail));
  if (ipFamilies.length > 0) errors.push(forbidden('spec.ipFamilies', detail));
  if (spec.ipFamilyPolicy !== undefined) errors.push(forbidden('spec.ipFamilyPolicy', detail));
  // A trailing dot means that the name is fully qualified.
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  if (name === '') errors.push(required('spec.externalName'));
  else pushAll(errors, invalids('spec.externalName', name, dns1123SubdomainProblems(name)));
  return errors;
}

function validateAffinity({ sessionAffinity = '', sessionAffinityConfig }: ServiceSpec): FieldError[] {
  const field = 'spec.sessionAffinity';
  if (sessionAffinity === '') return [required(field)];
  if (sessionAffinity === 'ClientIP') return validateAffinityConfig(sessionAffinityConfig, `${field}Config`);
  if (sessionAffinity !== 'None') return [notSupported(field, sessionAffinity, affinities)];
  if (sessionAffinityConfig === undefined) return [];
  return [forbidden(`${field}Config`, 'must not be set when session affinity is None')];
}

function validateAffinityConfig(config: ServiceSpec['sessionAffinityConfig'], field: string): FieldError[] {
  const when = 'when session affinity type is ClientIP';
  if (config === undefined) return [required(field, when)];
  if (config.clientIP === undefined) return [required(`${field}.clientIP`, when)];
  const { timeoutSeconds } = config.clientIP;
  if (timeoutSeconds === undefined) return [required(`${field}.clientIP.timeoutSeconds`, when)];
  if (timeoutSeconds > 0 && timeoutSeconds <= maxAffinitySeconds) return [];
  const detail = `must be greater than 0 and less than ${maxAffinitySeconds}`;
  return [invalid(`${field}.clientIP.timeoutSeconds`, timeoutSeconds, detail)];
}

function validateExternalIPs({ externalIPs = [] }: ServiceSpec, old: ServiceSpec | undefined): FieldError[] {
  const before = new Set(old?.externalIPs);
  return externalIPs.flatMap((ip, index) => {
    const field = `spec.externalIPs[${index}]`;
    const errors = validateLegacyIp(field, ip, before);
    return errors.length > 0 ? errors : validateEndpointIp(field, ip);
  });
}

function validateType({ type = '' }: ServiceSpec): FieldError[] {
  if (type === '') return [required('spec.type')];
  return types.includes(type) ? [] : [notSupported('spec.type', type, types)];
}

/** The field wins over the legacy annotation. Kubernetes accepts space around a range by accident. */
function validateSourceRanges(service: ServiceFields, old: ServiceFields | undefined): FieldError[] {
  const { loadBalancerSourceRanges: ranges = [], type } = service.spec;
  const field = 'spec.LoadBalancerSourceRanges';
  if (ranges.length === 0) return validateSourceRangesAnnotation(service, old);
  const before = new Set(old?.spec.loadBalancerSourceRanges?.map((range) => range.trim()));
  return [
    ...(type === 'LoadBalancer' ? [] : [forbidden(field, onlyLoadBalancer)]),
    ...ranges.flatMap((range, index) => validateLegacyCidr(`${field}[${index}]`, range.trim(), before)),
  ];
}

function validateSourceRangesAnnotation(
  { metadata, spec }: ServiceFields,
  old: ServiceFields | undefined,
): FieldError[] {
  const value = metadata.annotations?.[sourceRanges];
  const field = `metadata.annotations[${sourceRanges}]`;
  if (value === undefined) return [];
  const errors = spec.type === 'LoadBalancer' ? [] : [forbidden(field, onlyLoadBalancer)];
  if (old?.metadata.annotations?.[sourceRanges] === value || value.trim() === '') return errors;
  return [...errors, ...value.split(',').flatMap((range) => validateLegacyCidr(field, range.trim(), noOldValues))];
}

function validateNodePortAllocation({ type, allocateLoadBalancerNodePorts: allocates }: ServiceSpec): FieldError[] {
  if (type === 'LoadBalancer') return allocates === undefined ? [required('allocateLoadBalancerNodePorts')] : [];
  return allocates === undefined ? [] : [forbidden('spec.allocateLoadBalancerNodePorts', onlyLoadBalancer)];
}

export function validateLoadBalancerClass({ type, loadBalancerClass: name }: ServiceSpec): FieldError[] {
  if (name === undefined) return [];
  if (type !== 'LoadBalancer') return [forbidden('spec.loadBalancerClass', onlyLoadBalancer)];
  return qualifiedNameProblems(name).map((message) => invalid('spec.loadBalancerClass', name, message));
}

function validateExternalTraffic(spec: ServiceSpec): FieldError[] {
  return [...validateExternalPolicy(spec), ...validateHealthCheckPort(spec)];
}

function validateExternalPolicy(spec: ServiceSpec): FieldError[] {
  const { externalTrafficPolicy: policy = '' } = spec;
  const field = 'spec.externalTrafficPolicy';
  if (!isExternallyAccessible(spec)) {
    return policy === '' ? [] : [invalid(field, policy, 'may only be set for externally-accessible services')];
  }
  if (policy === '') return [required(field)];
  return trafficPolicies.includes(policy) ? [] : [notSupported(field, policy, trafficPolicies)];
}

function validateHealthCheckPort(spec: ServiceSpec): FieldError[] {
  const { healthCheckNodePort: port = 0 } = spec;
  const field = 'spec.healthCheckNodePort';
  if (!needsHealthCheck(spec)) {
    const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    return port === 0 ? [] : [invalid(field, port, detail)];
  }
  if (port === 0) return [required(field)];
  return portNumberProblems(port).map((message) => invalid(field, port, message));
}

function validateInternalTraffic({ type = '', internalTrafficPolicy, trafficDistribution }: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  const policy = 'spec.internalTrafficPolicy';
  if (internalTrafficPolicy === undefined) {
    if (types.includes(type) && type !== 'ExternalName') errors.push(required(policy));
  } else if (!trafficPolicies.includes(internalTrafficPolicy)) {
    errors.push(notSupported(policy, internalTrafficPolicy, trafficPolicies));
  }
  if (trafficDistribution !== undefined && !distributions.includes(trafficDistribution)) {
    errors.push(notSupported('spec.trafficDistribution', trafficDistribution, distributions));
  }
  return errors;
}
