import { quote } from '@flotilla/kube';
import { oneUnit, plus, scaled, traversalFactor, type EstimatedArgument } from '../../cost/cost.ts';
import { readsText } from '../../cost/text-costs.ts';
import { declare, member, overload, type Library, type OverloadParts } from '../../library.ts';
import { types, type CelType } from '../../type.ts';
import { CelError, CelOpaque, type CelValue, type Result } from '../../value.ts';
import { noSuchOverload } from '../../values/errors.ts';
import { sizeOf } from '../../values/size.ts';
import { isMapped, parseAddress, printAddress } from './ip-text.ts';
import { CelIp, ipType, parseIp } from './ip.ts';

export const cidrType: CelType = types.opaque('net.CIDR');

class CelCidr extends CelOpaque {
  override readonly typeName = 'net.CIDR';
  /** As written, with bits beyond the prefix. */
  readonly ip: CelIp;
  readonly prefixLength: number;

  constructor(ip: CelIp, prefixLength: number) {
    super();
    this.ip = ip;
    this.prefixLength = prefixLength;
  }

  /** The bytes of its prefix. */
  override get size(): number {
    return Math.ceil(this.prefixLength / 8);
  }

  override equals(other: CelOpaque): boolean {
    return other instanceof CelCidr && this.prefixLength === other.prefixLength && this.ip.equals(other.ip);
  }
}

const { bool, int, string } = types;

export const cidrLibrary: Library = {
  name: 'kubernetes.net.cidr',
  variables: new Map([
    ['net.CIDR', { kind: 'type', of: cidrType }],
    ['net.IP', { kind: 'type', of: ipType }],
  ]),
  functions: [
    declare('cidr', overload('string_to_cidr', [string], cidrType, read, readsText())),
    declare(
      'isCIDR',
      overload('is_cidr', [string], bool, (text: string) => parseCidr(text) instanceof CelCidr, readsText()),
    ),
    declare(
      'containsIP',
      member(
        'cidr_contains_ip_string',
        [cidrType, string],
        bool,
        containsIpText,
        comparison({ isNetwork: false, isText: true }),
      ),
      member(
        'cidr_contains_ip_ip',
        [cidrType, ipType],
        bool,
        containsIp,
        comparison({ isNetwork: false, isText: false }),
      ),
    ),
    declare(
      'containsCIDR',
      member(
        'cidr_contains_cidr_string',
        [cidrType, string],
        bool,
        containsCidrText,
        comparison({ isNetwork: true, isText: true }),
      ),
      member(
        'cidr_contains_cidr',
        [cidrType, cidrType],
        bool,
        containsCidr,
        comparison({ isNetwork: true, isText: false }),
      ),
    ),
    declare(
      'ip',
      member('cidr_ip', [cidrType], ipType, ({ ip }: CelCidr) => ip),
    ),
    declare(
      'prefixLength',
      member('cidr_prefix_length', [cidrType], int, ({ prefixLength }: CelCidr) => BigInt(prefixLength)),
    ),
    declare('masked', member('cidr_masked', [cidrType], cidrType, masked)),
    declare(
      'string',
      overload(
        'cidr_to_string',
        [cidrType],
        string,
        ({ ip, prefixLength }: CelCidr) => `${printAddress(ip)}/${prefixLength}`,
      ),
    ),
  ],
};

function read(text: string): CelCidr | CelError {
  const parsed = parseCidr(text);
  if (parsed instanceof CelCidr) return parsed;
  return new CelError(`network address parse error during conversion from string: ${parsed}`);
}

/** Returns an error message if the text is invalid. */
function parseCidr(text: string): CelCidr | string {
  const slash = text.lastIndexOf('/');
  if (slash < 0) return prefixProblem(text, "no '/'");
  const address = parseAddress(text.slice(0, slash));
  if ('problem' in address) return prefixProblem(text, address.problem);
  if (address.zone !== '') return prefixProblem(text, 'IPv6 zones cannot be present in a prefix');
  const bits = text.slice(slash + 1);
  if (!/^(?:\d|[1-9]\d*)$/.test(bits)) return prefixProblem(text, `bad bits after slash: ${quote(bits)}`);
  if (bits.length > 18) return prefixProblem(text, `bad bits after slash: ${quote(bits)}`);
  if (Number(bits) > address.bytes.length * 8) return prefixProblem(text, 'prefix length out of range');
  if (isMapped(address)) return `IPv4-mapped IPv6 address ${quote(text)} is not allowed`;
  return new CelCidr(new CelIp(address.bytes), Number(bits));
}

function prefixProblem(text: string, message: string): string {
  return `network address parse error during conversion from string: netip.ParsePrefix(${quote(text)}): ${message}`;
}

/** An invalid address is an unspecific error, as in Kubernetes. */
function containsIpText(cidr: CelCidr, text: string): Result {
  const ip = parseIp(text);
  return ip instanceof CelError ? noSuchOverload : containsIp(cidr, ip);
}

function containsCidrText(cidr: CelCidr, text: string): Result {
  const other = read(text);
  return other instanceof CelError ? other : containsCidr(cidr, other);
}

function containsIp({ ip, prefixLength }: CelCidr, other: CelIp): boolean {
  return ip.bytes.length === other.bytes.length && maskedIp(ip, prefixLength).equals(maskedIp(other, prefixLength));
}

function containsCidr(cidr: CelCidr, other: CelCidr): boolean {
  return cidr.prefixLength <= other.prefixLength && containsIp(cidr, other.ip);
}

function masked({ ip, prefixLength }: CelCidr): CelCidr {
  return new CelCidr(maskedIp(ip, prefixLength), prefixLength);
}

function maskedIp({ bytes }: CelIp, prefixLength: number): CelIp {
  return new CelIp(bytes.map((byte, index) => byte & ~(0xff >> Math.min(Math.max(prefixLength - 8 * index, 0), 8))));
}

/** Reads both prefixes. For a network also masks them and compares lengths. A text is read first. */
function comparison({ isNetwork, isText }: { isNetwork: boolean; isText: boolean }): OverloadParts {
  const addressSize = { min: 4, max: 16 };
  return {
    cost: ([cidr, other]) => {
      const prefixBytes = sizeOf(cidr as CelValue);
      let cost = Math.ceil(2 * prefixBytes * traversalFactor);
      if (isNetwork) cost += Math.ceil(prefixBytes * traversalFactor) + 1;
      return isText ? cost + Math.ceil(sizeOf(other as CelValue) * traversalFactor) : cost;
    },
    estimate: ([, other]) => {
      let cost = scaled(plus(addressSize, addressSize), traversalFactor);
      if (isNetwork) cost = plus(plus(cost, scaled(addressSize, traversalFactor)), oneUnit);
      return { cost: isText ? plus(cost, scaled((other as EstimatedArgument).size, traversalFactor)) : cost };
    },
  };
}
