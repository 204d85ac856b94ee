/** Addresses and CIDRs in fields: strict for new fields, lenient where stored objects may have old spellings. */
import { formatCidr, formatInterfaceAddress, hasBitsBeyondPrefix, parseCidr } from '../scalars/cidr.ts';
import { quote } from '../go/format.ts';
import { formatIp, isV4InV6, isV6, parseIp } from '../scalars/ip-address.ts';
import { invalid, type FieldError } from './field-error.ts';

const notAnIp = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const notACidr = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
const notAnInterface = 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)';

/** Requires the canonical text. */
export function validateIp(field: string, value: string): FieldError[] {
  const errors = validateIpSpelling(field, value, true);
  const ip = parseIp(value);
  if (errors.length > 0 || ip === undefined) return errors;
  return mustEqual(field, value, formatIp(ip));
}

/** Accepts any address. `isStrict` refuses spellings that other software parses differently. */
export function validateIpSpelling(field: string, value: string, isStrict: boolean): FieldError[] {
  const ip = parseIp(value);
  if (ip === undefined) return [invalid(field, value, notAnIp)];
  if (!isStrict) return [];
  if (ip.hasLeadingZeros) return [invalid(field, value, 'must not have leading 0s')];
  return isV4InV6(ip) ? [invalid(field, value, 'must not be an IPv4-mapped IPv6 address')] : [];
}

/** Requires the canonical text. */
export function validateCidr(field: string, value: string): FieldError[] {
  const errors = validateCidrSpelling(field, value, true);
  const cidr = parseCidr(value);
  if (errors.length > 0 || cidr === undefined) return errors;
  return mustEqual(field, value, formatCidr(cidr));
}

export function validateCidrSpelling(field: string, value: string, isStrict: boolean): FieldError[] {
  const cidr = parseCidr(value);
  if (cidr === undefined) return [invalid(field, value, notACidr)];
  if (!isStrict) return [];
  if (cidr.hasLeadingZeros) return [invalid(field, value, 'must not have leading 0s in IP or prefix length')];
  if (isV4InV6(cidr.ip)) return [invalid(field, value, 'must not have an IPv4-mapped IPv6 address')];
  return hasBitsBeyondPrefix(cidr) ? [invalid(field, value, 'must not have bits set beyond the prefix length')] : [];
}

export function validateInterfaceAddress(field: string, value: string): FieldError[] {
  const cidr = parseCidr(value);
  if (cidr === undefined) return [invalid(field, value, notAnInterface)];
  return mustEqual(field, value, formatInterfaceAddress(cidr));
}

/** Warnings for addresses that are accepted only for compatibility. */
export function warningsForIp(field: string, value: string): string[] {
  const ip = parseIp(value);
  if (ip === undefined) return [];
  const canonical = formatIp(ip);
  if (ip.hasLeadingZeros || isV4InV6(ip)) {
    return [`${field}: non-standard IP address ${quote(value)} is invalid: use ${quote(canonical)}`];
  }
  if (!isV6(ip) || canonical === value) return [];
  return [`${field}: IPv6 address ${quote(value)} should be in RFC 5952 canonical format (${quote(canonical)})`];
}

export function warningsForCidr(field: string, value: string): string[] {
  const cidr = parseCidr(value);
  if (cidr === undefined) return [];
  const canonical = formatCidr(cidr);
  const warnings: string[] = [];
  if (hasBitsBeyondPrefix(cidr)) {
    const single = `${formatIp(cidr.ip)}/${cidr.ip.isWrittenAsV4 ? 32 : 128}`;
    const choices = `${quote(canonical)} or ${quote(single)}`;
    warnings.push(`${field}: CIDR value ${quote(value)} is ambiguous in this context (should be ${choices}?)`);
  }
  if (cidr.hasLeadingZeros || isV4InV6(cidr.ip)) {
    warnings.push(`${field}: non-standard CIDR value ${quote(value)} is invalid: use ${quote(canonical)}`);
  }
  if (warnings.length > 0 || !isV6(cidr.ip) || canonical === value) return warnings;
  return [`${field}: IPv6 CIDR value ${quote(value)} should be in RFC 5952 canonical format (${quote(canonical)})`];
}

function mustEqual(field: string, value: string, canonical: string): FieldError[] {
  return value === canonical ? [] : [invalid(field, value, `must be in canonical form (${quote(canonical)})`)];
}
