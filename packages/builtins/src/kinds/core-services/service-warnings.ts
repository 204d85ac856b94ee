import { warningsForCidr, warningsForIp } from '@flotilla/kube';
import type { ServiceFields, ServiceSpec } from './service-fields.ts';
import { topologyHints } from './service-validation.ts';

/** Written for a Service that passed validation. */
export function serviceWarnings({ metadata, spec }: ServiceFields): string[] {
  return [
    ...(metadata.annotations?.[topologyHints] === undefined ? [] : [topologyWarning]),
    ...clusterIPWarnings(spec),
    ...externalWarnings(spec),
    ...loadBalancerWarnings(spec),
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

function loadBalancerWarnings({ loadBalancerIP = '', loadBalancerSourceRanges = [] }: ServiceSpec): string[] {
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

/** Warnings ask about the type as well, unlike validation. */
function isHeadless({ type, clusterIP }: ServiceSpec): boolean {
  return type === 'ClusterIP' && clusterIP === 'None';
}
