import { lowerBandSize, pickFree, type Random, type Range } from './pool-band.ts';

/** An IPv4 range that cluster IPs come from; its network and broadcast addresses are never given out. */
interface IpRange extends Range {
  readonly cidr: string;
}

/** What Kubernetes says when it cannot give an address. */
const ipFailure = {
  full: 'range is full',
  taken: 'provided IP is already allocated',
  otherNetwork: 'the provided network does not match the current range',
  outside: (ip: string, cidr: string) =>
    `the provided IP (${ip}) is not in the valid range. The range of valid IPs is ${cidr}`,
} as const;

/** The ranges of a cluster's service addresses, and which of them are in use. Whoever stores Services keeps it in step. */
export class IpPool {
  readonly #ranges: readonly IpRange[];
  readonly #taken = new Set<number>();

  constructor(cidrs: readonly string[]) {
    this.#ranges = cidrs.map(ipRange);
  }

  /** The address that a dry run shows instead of one it would have to take. */
  get placeholder(): string {
    return this.#ranges[0]?.cidr.split('/')[0] ?? '0.0.0.0';
  }

  /** Why this address cannot be had; undefined when it can. */
  refusal(ip: string): string | undefined {
    const address = addressNumber(ip);
    if (!this.#ranges.some((range) => contains(range, address))) return ipFailure.otherNetwork;
    return this.#taken.has(address) ? ipFailure.taken : undefined;
  }

  /** A dry run takes nothing, so it only asks whether the address is in the range. */
  dryRunRefusal(ip: string): string | undefined {
    const range = this.#ranges[0];
    if (range === undefined || contains(range, addressNumber(ip))) return undefined;
    return ipFailure.outside(ip, range.cidr);
  }

  /** A free address, or undefined when every range is full. Taking it is the caller's business. */
  pick(random: Random): string | undefined {
    for (const range of this.#ranges) {
      const address = pickFree(range, (value) => this.#taken.has(value), random);
      if (address !== undefined) return addressText(address);
    }
    return undefined;
  }

  take(ip: string): void {
    this.#taken.add(addressNumber(ip));
  }

  release(ip: string): void {
    this.#taken.delete(addressNumber(ip));
  }
}

function ipRange(cidr: string): IpRange {
  const [base = '', bits = ''] = cidr.split('/');
  const size = 2 ** (32 - Number(bits));
  const network = addressNumber(base);
  const first = network + 1;
  return {
    cidr,
    first,
    last: network + size - 2,
    dynamicFrom: first + lowerBandSize(size, { step: 16, most: 256 }),
  };
}

function contains({ first, last }: Range, address: number): boolean {
  return address >= first && address <= last;
}

function addressNumber(ip: string): number {
  return ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function addressText(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.');
}
