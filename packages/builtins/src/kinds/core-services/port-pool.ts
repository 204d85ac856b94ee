import { apiErrors } from '@flotilla/kube';
import { lowerBandSize, pickFree, type Random, type Range } from './pool-band.ts';

/** The node ports of a cluster and those in use. The code that stores Services must keep it in sync. */
export class PortPool {
  readonly #range: Range;
  readonly #taken = new Set<number>();

  constructor({ first, last }: { readonly first: number; readonly last: number }) {
    const lower = lowerBandSize(last - first + 1, { step: 32, most: 128 });
    this.#range = { first, last, dynamicFrom: first + lower };
  }

  /** The reason if this port cannot be allocated. */
  refusal(port: number): string | undefined {
    const { first, last } = this.#range;
    if (port < first || port > last) {
      return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
    }
    return this.#taken.has(port) ? portTaken : undefined;
  }

  isTaken(port: number): boolean {
    return this.#taken.has(port);
  }

  /** A free port that is not among `others`, or undefined if there is none. */
  pick(random: Random, others: ReadonlySet<number>): number | undefined {
    return pickFree(this.#range, (port) => this.#taken.has(port) || others.has(port), random);
  }

  take(port: number): void {
    this.#taken.add(port);
  }

  release(port: number): void {
    this.#taken.delete(port);
  }
}

const portTaken = 'provided port is already allocated';

/** The ports that one write takes and releases, while it is planned. */
export class PortDraft {
  readonly taken = new Set<number>();
  readonly released: number[] = [];
  readonly #pool: PortPool;
  readonly #random: Random;
  readonly #dryRun: boolean;
  #highest = 0;

  constructor(options: {
    readonly network: { readonly ports: PortPool };
    readonly random: Random;
    readonly dryRun: boolean;
  }) {
    this.#pool = options.network.ports;
    this.#random = options.random;
    this.#dryRun = options.dryRun;
  }

  /** Returns the reason if the port cannot be allocated; otherwise records it as taken. */
  take(port: number): string | undefined {
    const refusal = this.taken.has(port) ? portTaken : this.#refusal(port);
    if (refusal === undefined) this.#note(port);
    return refusal;
  }

  next(failure = 'failed to allocate a nodePort'): number {
    const port = this.#dryRun ? this.#placeholder() : this.#pool.pick(this.#random, this.taken);
    if (port === undefined) throw apiErrors.internalError(`${failure}: range is full`);
    this.#note(port);
    return port;
  }

  releaseAll(ports: readonly number[]): void {
    for (const port of ports) if (port !== 0) this.released.push(port);
  }

  #note(port: number): void {
    this.taken.add(port);
    this.#highest = Math.max(this.#highest, port);
  }

  /** A dry run checks no range. */
  #refusal(port: number): string | undefined {
    if (!this.#dryRun) return this.#pool.refusal(port);
    return this.#pool.isTaken(port) ? portTaken : undefined;
  }

  /** A dry run shows ports that need not be free: above the default range, or after the requested one. */
  #placeholder(): number {
    return this.taken.size === 0 ? 32769 : this.#highest + 1;
  }
}
