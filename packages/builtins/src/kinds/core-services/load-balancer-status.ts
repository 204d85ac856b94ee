/** The load balancer status that Services and Ingresses share. */
import {
  forbidden,
  invalid,
  dns1123SubdomainProblems,
  notSupported,
  parseIp,
  required,
  warningsForIp,
  type FieldError,
} from '@flotilla/kube';
import { validateLegacyIp } from '../ip-field.ts';
import type { LoadBalancerIngress, ServiceSpec, ServiceStatus } from './service-fields.ts';

const ipModes = ['Proxy', 'VIP'];

export function validateLoadBalancerStatus(
  { type }: ServiceSpec,
  status: ServiceStatus | undefined,
  old: ServiceStatus | undefined,
): FieldError[] {
  const field = 'status.loadBalancer.ingress';
  const ingress = status?.loadBalancer.ingress ?? [];
  if (type !== 'LoadBalancer' && ingress.length > 0) {
    return [forbidden(field, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  const before = new Set((old?.loadBalancer.ingress ?? []).map(({ ip = '' }) => ip));
  return ingress.flatMap((one, index) => [
    ...validateAddress(one, `${field}[${index}]`, before),
    ...validateIpMode(one, `${field}[${index}].ipMode`),
    ...validateHostname(one, `${field}[${index}].hostname`),
  ]);
}

export function validateAddress(
  { ip = '' }: LoadBalancerIngress,
  field: string,
  before: ReadonlySet<string>,
): FieldError[] {
  return ip === '' ? [] : validateLegacyIp(`${field}.ip`, ip, before);
}

export function validateHostname({ hostname = '' }: LoadBalancerIngress, field: string): FieldError[] {
  if (hostname === '') return [];
  const errors = dns1123SubdomainProblems(hostname).map((detail) => invalid(field, hostname, detail));
  if (parseIp(hostname) !== undefined) errors.push(invalid(field, hostname, 'must be a DNS name, not an IP address'));
  return errors;
}

export function loadBalancerWarnings(ingress: readonly LoadBalancerIngress[] = []): string[] {
  return ingress.flatMap(({ ip = '' }, index) =>
    ip === '' ? [] : warningsForIp(`status.loadBalancer.ingress[${index}]`, ip),
  );
}

/** Addresses of a load balancer for a cell: sorted, without duplicates. */
export function loadBalancerText(ingress: readonly LoadBalancerIngress[] = []): string {
  const addresses = ingress.map(({ ip, hostname }) => ip || hostname || '').filter((address) => address !== '');
  return [...new Set(addresses)].sort().join(',');
}

function validateIpMode({ ip = '', ipMode }: LoadBalancerIngress, field: string): FieldError[] {
  if (ipMode === undefined) return ip === '' ? [] : [required(field, 'must be specified when `ip` is set')];
  if (ip === '') return [forbidden(field, 'may not be specified when `ip` is not set')];
  return ipModes.includes(ipMode) ? [] : [notSupported(field, ipMode, ipModes)];
}
