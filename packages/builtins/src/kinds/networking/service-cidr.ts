import {
  invalid,
  nameIsDnsSubdomain,
  parseCidr,
  required,
  validateCidr,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { carryOver, keepMetadata } from '../prepare-update.ts';

const field = 'spec.cidrs';

export const serviceCidrKind: KindBehavior = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'ServiceCIDR',
  nameRule: nameIsDnsSubdomain,
  prepareForCreate(object) {
    object['status'] = {};
  },
  prepareForUpdate: (object, old) => carryOver('status', object, old),
  validate: (object) => validateCidrs(cidrsOf(object)),
  validateUpdate: (object, old) => validateChange(cidrsOf(object), cidrsOf(old)),
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        carryOver('spec', object, old);
        keepMetadata(object, old);
      },
      resetFields: [['metadata'], ['spec']],
    },
  },
  columns: {
    definitions: [nameColumn, column('CIDRs', 'string', 'Ranges that cluster IPs come from.'), ageColumn],
    cells: (object, now) => [object.metadata.name ?? '', cidrsOf(object).join(','), age(object, now)],
  },
  resetFields: [['status']],
};

function cidrsOf(object: KubeObject): string[] {
  return (object as KubeObject & { spec?: { cidrs?: string[] } }).spec?.cidrs ?? [];
}

function validateCidrs(cidrs: string[]): FieldError[] {
  if (cidrs.length === 0) return [required(field, 'at least one CIDR required')];
  if (cidrs.length > 2) return [invalid(field, { CIDRs: cidrs }, 'may only hold up to 2 values')];
  const errors = cidrs.flatMap((cidr, index) => validateCidr(`${field}[${index}]`, cidr));
  const [first, second] = cidrs.map(familyOf);
  if (first !== undefined && first === second) {
    const detail = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
    errors.push(invalid(field, cidrs, detail));
  }
  return errors;
}

/** A second family may be added; nothing else may change. */
function validateChange(now: string[], old: readonly string[]): FieldError[] {
  if (now.length === old.length) return now.flatMap((cidr, index) => validateSame(cidr, old[index], index));
  if (old.length === 1 && now.length === 2) return [...validateSame(now[0], old[0], 0), ...validateCidrs(now)];
  return [invalid(field, now.length === 0 ? null : now, 'field is immutable')];
}

function validateSame(now: string | undefined, old: string | undefined, index: number): FieldError[] {
  return now === old ? [] : [invalid(`${field}[${index}]`, now, 'field is immutable')];
}

function familyOf(cidr: string): 'IPv4' | 'IPv6' | undefined {
  if (parseCidr(cidr) === undefined) return undefined;
  return cidr.includes(':') ? 'IPv6' : 'IPv4';
}
