import { decimal, equalIps, formatIp, isV4, parseIp, startsWithZero, type IpAddress } from './ip-address.ts';

/** A range of addresses, `10.9.8.0/24`. */
interface Cidr {
  /** The address as written, which may have bits beyond the prefix. */
  readonly ip: IpAddress;
  /** The first address of the range. */
  readonly network: IpAddress;
  /** Counted from the first of 128 bits. */
  readonly prefixLength: number;
  readonly hasLeadingZeros: boolean;
}

const mappedBits = 96;

export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/');
  if (slash === -1) return undefined;
  const ip = parseIp(text.slice(0, slash));
  const digits = text.slice(slash + 1);
  const length = decimal(digits);
  if (ip === undefined || length === undefined || length > (ip.isWrittenAsV4 ? 32 : 128)) return undefined;
  const prefixLength = ip.isWrittenAsV4 ? length + mappedBits : length;
  return {
    ip,
    network: { ...ip, bytes: masked(ip.bytes, prefixLength) },
    prefixLength,
    hasLeadingZeros: ip.hasLeadingZeros || startsWithZero(digits),
  };
}

/** The canonical text of the range. */
export function formatCidr({ network, prefixLength }: Cidr): string {
  return `${formatIp(network)}/${printedLength(network, prefixLength)}`;
}

/** The canonical text of the address and prefix, including bits beyond the prefix. */
export function formatInterfaceAddress({ ip, prefixLength }: Cidr): string {
  return `${formatIp(ip)}/${printedLength(ip, prefixLength)}`;
}

export function hasBitsBeyondPrefix({ ip, network }: Cidr): boolean {
  return !equalIps(ip, network);
}

export function cidrContains({ network, prefixLength }: Cidr, ip: IpAddress): boolean {
  return isV4(network) === isV4(ip) && equalIps(network, { ...ip, bytes: masked(ip.bytes, prefixLength) });
}

function printedLength(ip: IpAddress, prefixLength: number): number {
  return isV4(ip) ? Math.max(prefixLength - mappedBits, 0) : prefixLength;
}

function masked(bytes: Uint8Array, prefixLength: number): Uint8Array {
  return bytes.map((byte, i) => {
    const bits = Math.min(Math.max(prefixLength - 8 * i, 0), 8);
    return byte & ~(0xff >> bits);
  });
}
