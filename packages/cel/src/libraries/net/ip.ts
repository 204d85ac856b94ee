import { quote } from '@flotilla/kube';
import { readsText } from '../../cost/text-costs.ts';
import { declare, member, overload, type Library } from '../../library.ts';
import { types, type CelType } from '../../type.ts';
import { CelError, CelOpaque, type Result } from '../../value.ts';
import { groupAt, isMapped, parseAddress, printAddress } from './ip-text.ts';

export const ipType: CelType = types.opaque('net.IP');

export class CelIp extends CelOpaque {
  override readonly typeName = 'net.IP';
  /** Four or sixteen. */
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    super();
    this.bytes = bytes;
  }

  override get size(): number {
    return this.bytes.length;
  }

  override equals(other: CelOpaque): boolean {
    return other instanceof CelIp && Buffer.compare(this.bytes, other.bytes) === 0;
  }
}

const { bool, int, string } = types;

export const ipLibrary: Library = {
  name: 'kubernetes.net.ip',
  variables: new Map([['net.IP', { kind: 'type', of: ipType }]]),
  functions: [
    declare('ip', overload('string_to_ip', [string], ipType, parseIp, readsText())),
    declare(
      'isIP',
      overload('is_ip', [string], bool, (text: string) => parseIp(text) instanceof CelIp, readsText()),
    ),
    declare('ip.isCanonical', overload('ip_is_canonical', [string], bool, isCanonical, readsText(2))),
    declare(
      'family',
      member('ip_family', [ipType], int, ({ bytes }: CelIp) => (bytes.length === 4 ? 4n : 6n)),
    ),
    declare('isUnspecified', member('ip_is_unspecified', [ipType], bool, isUnspecified)),
    declare('isLoopback', member('ip_is_loopback', [ipType], bool, isLoopback)),
    declare('isLinkLocalMulticast', member('ip_is_link_local_multicast', [ipType], bool, isLinkLocalMulticast)),
    declare('isLinkLocalUnicast', member('ip_is_link_local_unicast', [ipType], bool, isLinkLocalUnicast)),
    declare('isGlobalUnicast', member('ip_is_global_unicast', [ipType], bool, isGlobalUnicast)),
    declare(
      'string',
      overload('ip_to_string', [ipType], string, (ip: CelIp) => printAddress(ip)),
    ),
  ],
};

export function parseIp(text: string): CelIp | CelError {
  const parsed = parseAddress(text);
  if ('problem' in parsed) {
    return new CelError(`IP Address ${quote(text)} parse error during conversion from string: ${parsed.problem}`);
  }
  if (parsed.zone !== '') return new CelError(`IP address ${quote(text)} with zone value is not allowed`);
  if (isMapped(parsed)) return new CelError(`IPv4-mapped IPv6 address ${quote(text)} is not allowed`);
  return new CelIp(parsed.bytes);
}

function isCanonical(text: string): Result {
  const ip = parseIp(text);
  return ip instanceof CelError ? ip : printAddress(ip) === text;
}

function isUnspecified({ bytes }: CelIp): boolean {
  return bytes.every((byte) => byte === 0);
}

function isLoopback({ bytes }: CelIp): boolean {
  if (bytes.length === 4) return bytes[0] === 127;
  return bytes.subarray(0, 15).every((byte) => byte === 0) && bytes[15] === 1;
}

function isLinkLocalMulticast({ bytes }: CelIp): boolean {
  if (bytes.length === 4) return bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0;
  return (groupAt(bytes, 0) & 0xff0f) === 0xff02;
}

function isLinkLocalUnicast({ bytes }: CelIp): boolean {
  if (bytes.length === 4) return bytes[0] === 169 && bytes[1] === 254;
  return (groupAt(bytes, 0) & 0xffc0) === 0xfe80;
}

function isMulticast({ bytes }: CelIp): boolean {
  return bytes.length === 4 ? ((bytes[0] ?? 0) & 0xf0) === 0xe0 : bytes[0] === 0xff;
}

/** Includes private networks. */
function isGlobalUnicast(ip: CelIp): boolean {
  const isBroadcast = ip.bytes.length === 4 && ip.bytes.every((byte) => byte === 255);
  return !isBroadcast && !isUnspecified(ip) && !isLoopback(ip) && !isMulticast(ip) && !isLinkLocalUnicast(ip);
}
