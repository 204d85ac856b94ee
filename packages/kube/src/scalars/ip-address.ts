/**
 * IP addresses as Go's lenient `net` parses them, which Kubernetes keeps for old objects.
 * Leading zeros are decimal, and an IPv4-mapped IPv6 address is its IPv4 address.
 */

export interface IpAddress {
  /** Always sixteen bytes. IPv4 is mapped into IPv6. */
  readonly bytes: Uint8Array;
  /** Written with dots only. */
  readonly isWrittenAsV4: boolean;
  /** Leading zeros, which strict validation forbids. */
  readonly hasLeadingZeros: boolean;
}

const maxNumber = 0xff_ffff;

export function parseIp(text: string): IpAddress | undefined {
  const first = text.search(/[.:]/);
  if (first === -1) return undefined;
  return text[first] === '.' ? parseV4(text) : parseV6(text);
}

/** True for IPv4-mapped IPv6 addresses, too. */
export function isV4(ip: IpAddress): boolean {
  return ip.bytes[10] === 0xff && ip.bytes[11] === 0xff && ip.bytes.subarray(0, 10).every((byte) => byte === 0);
}

/** `::ffff:1.2.3.4` equals `1.2.3.4`, but strict validation refuses it. */
export function isV4InV6(ip: IpAddress): boolean {
  return !ip.isWrittenAsV4 && isV4(ip);
}

export function isV6(ip: IpAddress): boolean {
  return !isV4(ip);
}

export function equalIps(a: IpAddress, b: IpAddress): boolean {
  return a.bytes.every((byte, i) => byte === b.bytes[i]);
}

/** The canonical text: dots for IPv4, RFC 5952 for IPv6. */
export function formatIp({ bytes }: Pick<IpAddress, 'bytes'>): string {
  if (isV4({ bytes, isWrittenAsV4: false, hasLeadingZeros: false })) return bytes.subarray(12).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0));
  const { start, length } = longestZeros(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

function parseV4(text: string): IpAddress | undefined {
  const parts = text.split('.', 5);
  if (parts.length !== 4) return undefined;
  const bytes = new Uint8Array(16);
  bytes.set([0xff, 0xff], 10);
  for (const [i, part] of parts.entries()) {
    const value = decimal(part);
    if (value === undefined || value > 0xff) return undefined;
    bytes[12 + i] = value;
  }
  return { bytes, isWrittenAsV4: true, hasLeadingZeros: parts.some(startsWithZero) };
}

function parseV6(text: string): IpAddress | undefined {
  const halves = text.split('::', 3);
  if (halves.length > 2) return undefined;
  const [head = '', tail] = halves;
  const left = groupsOf(head, tail === undefined);
  const right = tail === undefined ? { bytes: [], hasLeadingZeros: false } : groupsOf(tail, true);
  if (left === undefined || right === undefined) return undefined;
  const count = left.bytes.length + right.bytes.length;
  // `::` stands for at least one group.
  if (tail === undefined ? count !== 16 : count > 14) return undefined;
  const bytes = new Uint8Array(16);
  bytes.set(left.bytes, 0);
  bytes.set(right.bytes, 16 - right.bytes.length);
  return { bytes, isWrittenAsV4: false, hasLeadingZeros: left.hasLeadingZeros || right.hasLeadingZeros };
}

interface Groups {
  readonly bytes: readonly number[];
  readonly hasLeadingZeros: boolean;
}

/** Groups between colons. The last one of an address may be an IPv4 address. */
function groupsOf(text: string, isEnd: boolean): Groups | undefined {
  if (text === '') return { bytes: [], hasLeadingZeros: false };
  const bytes: number[] = [];
  let hasLeadingZeros = false;
  const parts = text.split(':', 9);
  for (const [i, part] of parts.entries()) {
    if (isEnd && i === parts.length - 1 && part.includes('.')) {
      const embedded = parseV4(part);
      if (embedded === undefined) return undefined;
      bytes.push(...embedded.bytes.subarray(12));
      hasLeadingZeros ||= embedded.hasLeadingZeros;
    } else {
      const value = hexadecimal(part);
      if (value === undefined || value > 0xffff) return undefined;
      bytes.push(value >> 8, value & 0xff);
      hasLeadingZeros ||= part.length > 4;
    }
  }
  return { bytes, hasLeadingZeros };
}

/** Digits only, below the limit of Go's parser. */
export function decimal(text: string): number | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const value = Number(text);
  return value < maxNumber ? value : undefined;
}

function hexadecimal(text: string): number | undefined {
  if (!/^[0-9a-fA-F]+$/.test(text)) return undefined;
  const value = Number(`0x${text}`);
  return value < maxNumber ? value : undefined;
}

export function startsWithZero(part: string): boolean {
  return part.length > 1 && part.startsWith('0');
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  let start = 0;
  for (let i = 0; i <= groups.length; i++) {
    if (groups[i] === 0) continue;
    if (i - start > longest.length) longest = { start, length: i - start };
    start = i + 1;
  }
  return longest;
}
