import { forbidden, invalid, pushAll, type FieldError } from '@flotilla/kube';
import { isHeadless, needsHealthCheck, type ServiceSpec } from './service-fields.ts';
import { validateLoadBalancerClass } from './service-validation.ts';

const immutable = 'may not change once set';

export function validateServiceChange(now: ServiceSpec, old: ServiceSpec): FieldError[] {
  return [
    ...validateClusterIPChange(now, old),
    ...validateFamilyChange(now, old),
    ...validateClassChange(now, old),
    // Kubernetes checks the class here and again with the rest, so it reports an invalid one twice.
    ...validateLoadBalancerClass(now),
    ...validateHealthCheckChange(now, old),
  ];
}

/** Secondary addresses may come and go. The primary one is immutable, except from and to ExternalName. */
function validateClusterIPChange(now: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (isExternal(now, old) || (isHeadless(now) && isHeadless(old))) return [];
  const { clusterIPs = [] } = now;
  const before = old.clusterIPs ?? [];
  const changed = (index: number) => invalid(`spec.clusterIPs[${index}]`, clusterIPs, immutable);
  if (before.length === clusterIPs.length) {
    return before.flatMap((ip, index) => (ip === clusterIPs[index] ? [] : [changed(index)]));
  }
  const errors: FieldError[] = [];
  if (clusterIPs.length === 0) {
    errors.push(invalid('spec.clusterIPs[0]', clusterIPs, 'primary clusterIP can not be unset'));
  } else if (before.length > 0 && clusterIPs[0] !== before[0]) {
    errors.push(changed(0));
  }
  if (before.length > clusterIPs.length && clusterIPs.length === 1) pushAll(errors, validateRelease(now, 'clusterIP'));
  return errors;
}

function validateFamilyChange(now: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (isExternal(now, old) || isHeadless(now) || isHeadless(old)) return [];
  const { ipFamilies = [], clusterIPs = [] } = now;
  const before = old.ipFamilies ?? [];
  if (before.length === ipFamilies.length) {
    return before.flatMap((family, index) =>
      family === ipFamilies[index] ? [] : [invalid('spec.ipFamilies[0]', ipFamilies, immutable)],
    );
  }
  const errors: FieldError[] = [];
  if (before.length > ipFamilies.length && clusterIPs.length === 0) {
    errors.push(invalid('spec.ipFamilies[0]', ipFamilies, 'primary ipFamily can not be unset'));
  }
  if (before.length > 0 && ipFamilies.length > 0 && ipFamilies[0] !== before[0]) {
    errors.push(invalid('spec.ipFamilies[0]', clusterIPs, immutable));
  }
  if (before.length > ipFamilies.length && ipFamilies.length === 1) pushAll(errors, validateRelease(now, 'ipFamily'));
  return errors;
}

function validateRelease({ ipFamilyPolicy }: ServiceSpec, what: string): FieldError[] {
  if (ipFamilyPolicy === 'SingleStack') return [];
  const detail = `must be set to 'SingleStack' when releasing the secondary ${what}`;
  return [invalid('spec.ipFamilyPolicy', ipFamilyPolicy, detail)];
}

function validateClassChange(now: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (now.type !== 'LoadBalancer' || old.type !== 'LoadBalancer') return [];
  if (now.loadBalancerClass === old.loadBalancerClass) return [];
  return [invalid('spec.loadBalancerClass', now.loadBalancerClass, immutable)];
}

function validateHealthCheckChange(now: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (!needsHealthCheck(now) || !needsHealthCheck(old)) return [];
  if ((now.healthCheckNodePort ?? 0) === (old.healthCheckNodePort ?? 0)) return [];
  return [forbidden('spec.healthCheckNodePort', 'field is immutable')];
}

function isExternal(now: ServiceSpec, old: ServiceSpec): boolean {
  return now.type === 'ExternalName' || old.type === 'ExternalName';
}
