import type { Node, Pod } from '../kinds.ts';
import { isFinished } from '../pods/pod-state.ts';

/** For nodes without a range of their own, and for more pods than a range has addresses. */
const sharedRange: Range = { first: addressNumber('10.128.0.0'), size: 2 ** 23 };

interface Range {
  readonly first: number;
  readonly size: number;
}

/** Assigns each pod of a cluster an address of its own, from the range of its node, as a network plugin does. */
export class PodAddresses {
  readonly #owners = new Map<string, string>();
  /** Addresses of pods by their uid, also before their status shows them. */
  readonly #addresses = new Map<string, string>();
  /** Where the search goes on, by range: a freed address is not used again at once. */
  readonly #next = new Map<number, number>();

  /** Call for every change of a pod. */
  update(now: Readonly<Pod> | undefined, old: Readonly<Pod> | undefined): void {
    if (old !== undefined && old.metadata.uid !== now?.metadata.uid) this.#release(old.metadata.uid ?? '');
    if (now === undefined) return;
    const { uid = '' } = now.metadata;
    if (isFinished(now)) this.#release(uid);
    else if (now.spec?.hostNetwork !== true) this.#assign(uid, now.status?.podIP ?? '');
  }

  /** The address that the pod has, or one that is free from now on. */
  addressOf(pod: Readonly<Pod>, node: Readonly<Node>): string {
    const { metadata, spec, status } = pod;
    const { uid = '' } = metadata;
    if (status?.podIP !== undefined) return status.podIP;
    if (spec?.hostNetwork === true || isFinished(pod)) return '';
    const known = this.#addresses.get(uid);
    if (known !== undefined) return known;
    const address = this.#free(rangeOf(node)) ?? this.#free(sharedRange) ?? '';
    this.#assign(uid, address);
    return address;
  }

  /** The first and the last address of a range are not for pods. */
  #free({ first, size }: Range): string | undefined {
    const usable = size - 2;
    const start = this.#next.get(first) ?? 0;
    for (let step = 0; step < usable; step++) {
      const position = (start + step) % usable;
      const address = addressText(first + 1 + position);
      if (this.#owners.has(address)) continue;
      this.#next.set(first, position + 1);
      return address;
    }
    return undefined;
  }

  #assign(uid: string, address: string): void {
    if (address === '') return;
    this.#owners.set(address, uid);
    this.#addresses.set(uid, address);
  }

  #release(uid: string): void {
    const address = this.#addresses.get(uid);
    this.#addresses.delete(uid);
    if (address !== undefined && this.#owners.get(address) === uid) this.#owners.delete(address);
  }
}

function rangeOf({ spec }: Readonly<Node>): Range {
  const [, address = '', bits = ''] = /^(\d+\.\d+\.\d+\.\d+)\/(\d+)$/.exec(spec?.podCIDR ?? '') ?? [];
  const size = 2 ** (32 - Number(bits));
  return address === '' || size < 4 || size > 2 ** 24 ? sharedRange : { first: addressNumber(address), size };
}

function addressNumber(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

function addressText(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
}
