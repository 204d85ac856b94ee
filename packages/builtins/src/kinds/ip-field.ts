/** Validation of address fields that are older than strict parsing. */
import {
  cidrContains,
  invalid,
  parseCidr,
  parseIp,
  validateCidrSpelling,
  validateIpSpelling,
  type FieldError,
} from '@flotilla/kube';

/** For new objects, and for fields that were always strict. */
export const noOldValues: ReadonlySet<string> = new Set();

/** A value that was stored before the rules became strict stays valid. */
export function validateLegacyIp(field: string, value: string, before: ReadonlySet<string>): FieldError[] {
  return before.has(value) ? [] : validateIpSpelling(field, value, true);
}

export function validateLegacyCidr(field: string, value: string, before: ReadonlySet<string>): FieldError[] {
  return before.has(value) ? [] : validateCidrSpelling(field, value, true);
}

/** An address that packets can be sent to. */
export function validateEndpointIp(field: string, value: string): FieldError[] {
  const ip = parseIp(value);
  if (ip === undefined) return [invalid(field, value, 'must be a valid IP address')];
  return specialRanges
    .filter(({ ranges }) => ranges.some((range) => cidrContains(range, ip)))
    .map(({ refusal }) => invalid(field, value, refusal(value)));
}

const specialRanges = [
  special((value) => `may not be unspecified (${value})`, '0.0.0.0/32', '::/128'),
  special(() => 'may not be in the loopback range (127.0.0.0/8, ::1/128)', '127.0.0.0/8', '::1/128'),
  special(() => 'may not be in the link-local range (169.254.0.0/16, fe80::/10)', '169.254.0.0/16', 'fe80::/10'),
  special(
    () => 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
    '224.0.0.0/24',
    // Kubernetes' message and its check differ.
    'ff02::/16',
  ),
];

function special(refusal: (value: string) => string, ...ranges: readonly string[]) {
  return { refusal, ranges: ranges.flatMap((range) => parseCidr(range) ?? []) };
}
