import { lowerBandSize, pickFree, type Random, type Range } from './pool-band.ts';

/** An IPv4 range for cluster IPs. Its network and broadcast addresses are never allocated. */
interface IpRange extends Range {
  readonly cidr: string;
}

/** Kubernetes' messages about failed allocations. */
const ipFailure = {
  full: 'range is full',
  taken: 'provided IP is already allocated',
  otherNetwork: 'the provided network does not match the current range',
  outside: (ip: string, cidr: string) =>
    `the provided IP (${ip}) is not in the valid range. The range of valid IPs is ${cidr}`,
} as const;

/**
 * The ranges of a cluster's service addresses and the addresses in use. The code that stores Services must keep it in
 * sync.
 */
export class IpPool {
  readonly #ranges: readonly IpRange[];
  readonly #taken = new Set<number>();

  constructor(cidrs: readonly string[]) {
    this.#ranges = cidrs.map(ipRange);
  }

  /** The address that a dry run shows instead of an allocated one. */
  get placeholder(): string {
    return this.#ranges[0]?.cidr.split('/')[0] ?? '0.0.0.0';
  }

  /** The reason if this address cannot be allocated. */
  refusal(ip: string): string | undefined {
    const address = addressNumber(ip);
    if (!this.#ranges.some((range) => contains(range, address))) return ipFailure.otherNetwork;
    return this.#taken.has(address) ? ipFailure.taken : undefined;
  }

  /** A dry run allocates nothing, so it only checks the range. */
  dryRunRefusal(ip: string): string | undefined {
    const range = this.#ranges[0];
    if (range === undefined || contains(range, addressNumber(ip))) return undefined;
    return ipFailure.outside(ip, range.cidr);
  }

  /** A free address, or undefined if every range is full. The caller must take it. */
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
