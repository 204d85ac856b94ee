import { duplicate, invalid, notSupported, pushAll, required, type FieldError } from '@flotilla/kube';
import { validateLegacyIp } from '../ip-field.ts';
import { repeatsIn } from '../field-checks.ts';
import { isHeadless, type ServiceSpec } from './service-fields.ts';

const families = ['IPv4', 'IPv6'];
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** The rules between `clusterIP`, `clusterIPs`, `ipFamilies` and `ipFamilyPolicy`. Stored addresses stay valid. */
export function validateClusterIPs(spec: ServiceSpec, old: ServiceSpec | undefined): FieldError[] {
  if (spec.type === 'ExternalName') return [];
  const errors = [...validateSync(spec), ...validateFamilies(spec)];
  const faults = validateAddresses(spec, new Set(old?.clusterIPs));
  pushAll(errors, faults.errors);
  if ((spec.clusterIPs ?? []).length > 2) {
    errors.push(invalid('spec.clusterIPs', spec.clusterIPs, 'may only hold up to 2 values'));
  }
  if (!faults.isFatal) pushAll(errors, validateStacks(spec));
  return errors;
}

function validateSync({ clusterIP = '', clusterIPs = [] }: ServiceSpec): FieldError[] {
  const [first] = clusterIPs;
  if (clusterIP === '') {
    if (first === undefined) return [];
    return [invalid('spec.clusterIPs', clusterIPs, 'must be empty when `clusterIP` is not specified')];
  }
  if (first === undefined) return [required('spec.clusterIPs')];
  return first === clusterIP ? [] : [invalid('spec.clusterIPs', clusterIPs, 'first value must match `clusterIP`')];
}

function validateFamilies({ ipFamilies = [], ipFamilyPolicy }: ServiceSpec): FieldError[] {
  const errors: FieldError[] = [];
  const repeats = repeatsIn(ipFamilies);
  for (const [index, family] of ipFamilies.entries()) {
    const field = `spec.ipFamilies[${index}]`;
    if (!families.includes(family)) errors.push(notSupported(field, family, families));
    if (repeats.has(index)) errors.push(duplicate(field, family));
  }
  if (ipFamilyPolicy !== undefined && !policies.includes(ipFamilyPolicy)) {
    errors.push(notSupported('spec.ipFamilyPolicy', ipFamilyPolicy, policies));
  }
  return errors;
}

/** An invalid address makes the checks of families meaningless, so they are skipped. */
function validateAddresses(
  { clusterIPs = [] }: ServiceSpec,
  before: ReadonlySet<string>,
): { errors: FieldError[]; isFatal: boolean } {
  const errors: FieldError[] = [];
  for (const [index, ip] of clusterIPs.entries()) {
    if (index > 0 || ip !== 'None') {
      pushAll(errors, validateLegacyIp(`spec.clusterIPs[${index}]`, ip, before));
    } else if (clusterIPs.length > 1) {
      errors.push(invalid('spec.clusterIPs', clusterIPs, "'None' must be the first and only value"));
    }
  }
  return { errors, isFatal: errors.length > 0 };
}

function validateStacks(spec: ServiceSpec): FieldError[] {
  const { clusterIPs = [], ipFamilies = [] } = spec;
  const errors: FieldError[] = [];
  if (clusterIPs.length > 1 && !isDualStack(clusterIPs)) {
    const detail = 'may specify no more than one IP for each IP family';
    errors.push(invalid('spec.clusterIPs', clusterIPs, detail));
  }
  if (isHeadless(spec)) return errors;
  for (const [index, family] of ipFamilies.entries()) {
    const ip = clusterIPs[index];
    if (ip === undefined || !families.includes(family) || family === familyOf(ip)) continue;
    const detail = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    errors.push(invalid(`spec.clusterIPs[${index}]`, ip, detail));
  }
  return errors;
}

function isDualStack(ips: readonly string[]): boolean {
  return new Set(ips.map(familyOf)).size === 2;
}

function familyOf(ip: string): string {
  return ip.includes(':') ? 'IPv6' : 'IPv4';
}
