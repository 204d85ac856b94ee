/**
 * Sets `ipFamilies` and `ipFamilyPolicy` of a Service in a single-stack IPv4 cluster, and refuses what the cluster
 * cannot serve.
 */
import { apiErrors, invalid, pushAll, type FieldError } from '@flotilla/kube';
import { validateClusterIPs } from './service-cluster-ips.ts';
import { sameList, type ServiceFields, type ServiceSpec } from './service-fields.ts';

const clusterFamily = 'IPv4';

/** Throws an ApiError. */
export function setIpFamilies(service: ServiceFields, old: ServiceFields | undefined): void {
  const { spec } = service;
  if (spec.type === 'ExternalName') return;
  if (old !== undefined && keepsPreferredFamilies(spec, old.spec)) return;
  spec.ipFamilyPolicy ??= old?.spec.ipFamilyPolicy ?? defaultPolicy(spec);
  refuse(service, validateClusterIPs(spec, old?.spec));

  const errors = old === undefined ? [] : releaseSecondary(spec, old.spec);
  pushAll(errors, tooManyForOneStack(spec));
  pushAll(errors, inferFamilies(spec));
  refuse(service, errors);

  if (isSelectorlessHeadless(spec)) {
    setSelectorlessFamilies(spec);
    return;
  }
  refuse(service, notOnThisCluster(spec));
  if ((spec.ipFamilies ?? []).length === 0) spec.ipFamilies = [clusterFamily];
}

/** A Service that prefers dual-stack stays as it is if an update changes nothing about families. */
export function keepsPreferredFamilies(spec: ServiceSpec, old: ServiceSpec): boolean {
  return (
    spec.type === old.type &&
    (spec.type === 'ClusterIP' || spec.type === 'NodePort' || spec.type === 'LoadBalancer') &&
    spec.ipFamilyPolicy === 'PreferDualStack' &&
    (old.ipFamilyPolicy ?? 'PreferDualStack') === 'PreferDualStack' &&
    sameList(spec.clusterIPs, old.clusterIPs) &&
    sameList(spec.ipFamilies, old.ipFamilies)
  );
}

function refuse({ metadata }: ServiceFields, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw apiErrors.invalid({ group: '', kind: 'Service' }, metadata.name ?? '', errors);
}

/** The endpoints of a headless Service without selector are unknown, so it requires nothing. */
function defaultPolicy(spec: ServiceSpec): string {
  return isSelectorlessHeadless(spec) ? 'RequireDualStack' : 'SingleStack';
}

function isSelectorlessHeadless({ clusterIP, selector = {} }: ServiceSpec): boolean {
  return clusterIP === 'None' && Object.keys(selector).length === 0;
}

function releaseSecondary(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  const { clusterIPs = [], ipFamilies = [] } = spec;
  if (spec.ipFamilyPolicy === 'SingleStack') {
    if (sameList(clusterIPs, old.clusterIPs) && clusterIPs.length > 1) spec.clusterIPs = clusterIPs.slice(0, 1);
    if (sameList(ipFamilies, old.ipFamilies) && ipFamilies.length > 1) spec.ipFamilies = ipFamilies.slice(0, 1);
    return [];
  }
  const errors: FieldError[] = [];
  if (isReduced(clusterIPs, old.clusterIPs)) {
    errors.push(policyError(spec, "must be 'SingleStack' to release the secondary cluster IP"));
  }
  if (isReduced(ipFamilies, old.ipFamilies)) {
    errors.push(policyError(spec, "must be 'SingleStack' to release the secondary IP family"));
  }
  return errors;
}

function tooManyForOneStack(spec: ServiceSpec): FieldError[] {
  if (spec.ipFamilyPolicy !== 'SingleStack') return [];
  const dual = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  const errors: FieldError[] = [];
  if (spec.clusterIPs?.length === 2) errors.push(policyError(spec, `${dual} cluster IPs are specified`));
  if (spec.ipFamilies?.length === 2) errors.push(policyError(spec, `${dual} IP families are specified`));
  return errors;
}

function inferFamilies(spec: ServiceSpec): FieldError[] {
  const { clusterIPs = [] } = spec;
  const families = [...(spec.ipFamilies ?? [])];
  const errors: FieldError[] = [];
  for (const [index, ip] of clusterIPs.entries()) {
    if (ip === 'None') break;
    if (index < families.length) continue;
    if (ip.includes(':')) {
      errors.push(invalid(`spec.clusterIPs[${index}]`, clusterIPs, 'IPv6 is not configured on this cluster'));
    } else {
      families.push('IPv4');
    }
  }
  if (families.length > 0) spec.ipFamilies = families;
  return errors;
}

function setSelectorlessFamilies(spec: ServiceSpec): void {
  const [first = clusterFamily, second] = spec.ipFamilies ?? [];
  const other = first === 'IPv4' ? 'IPv6' : 'IPv4';
  if (second !== undefined) return;
  spec.ipFamilies = spec.ipFamilyPolicy === 'SingleStack' ? [first] : [first, other];
}

function notOnThisCluster(spec: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.ipFamilyPolicy === 'RequireDualStack') {
    errors.push(policyError(spec, 'this cluster is not configured for dual-stack services'));
  }
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    if (family === clusterFamily) continue;
    errors.push(invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster'));
  }
  return errors;
}

function policyError({ ipFamilyPolicy }: ServiceSpec, detail: string): FieldError {
  return invalid('spec.ipFamilyPolicy', ipFamilyPolicy, detail);
}

/** An absent list is not a shorter one. */
function isReduced(now: readonly string[], before: readonly string[] = []): boolean {
  return now.length > 0 && now.length < before.length;
}
