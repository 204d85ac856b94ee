import type { Client } from '@flotilla/client';
import { qualified, type Kind, type Logger } from '@flotilla/kube';
import { LoopTurns, type Clock } from '@flotilla/timing';
import { Informer } from './informer.ts';
import type { Indexes } from './label-index.ts';
import type { Excerpt } from './listed-source.ts';
import type { ObjectSource } from './object-source.ts';
import { openSource } from './viewed-source.ts';

export interface InformerSetOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** Shared by all work of the thread. Default: an instance of its own. */
  readonly turns?: LoopTurns | undefined;
  /** In [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  /** Limits namespaced kinds to this namespace. Default: all namespaces. */
  readonly namespace?: string | undefined;
}

export interface Interest {
  readonly metadataOnly?: boolean;
  /** Keeps the metadata of all objects, also in process. */
  readonly keepsMetadata?: boolean;
  /** Keeps only name, namespace, uid and resourceVersion, for callers that only need to know that something changed. */
  readonly versionsOnly?: boolean;
  /** Keeps only this part of each object. In process nothing is copied, and listeners get whole objects. */
  readonly excerpt?: Excerpt | undefined;
  readonly fieldSelector?: string | undefined;
  readonly indexes?: Indexes;
}

/** A reference to a shared informer, which stops with its last `release`. */
export interface HeldInformer {
  readonly informer: Informer;
  readonly release: () => Promise<void>;
}

interface Shared {
  readonly name: string;
  readonly informer: Informer;
  holders: number;
}

/** One informer for each kind, shared by all controllers of a process. It starts with its first holder and stops with its last. */
export class InformerSet {
  readonly #options: InformerSetOptions;
  readonly #turns: LoopTurns;
  readonly #shared = new Map<string, Shared>();

  constructor(options: InformerSetOptions) {
    this.#options = options;
    this.#turns = options.turns ?? new LoopTurns();
  }

  hold(kind: Kind, interest: Interest = {}): HeldInformer {
    const shared = this.#informerOf(kind, interest);
    shared.informer.addIndexes(interest.indexes ?? {});
    if (interest.keepsMetadata === true) shared.informer.keepMetadata();
    shared.holders++;
    let isHeld = true;
    return {
      informer: shared.informer,
      release: async () => {
        if (isHeld) await this.#release(shared);
        isHeld = false;
      },
    };
  }

  /** For tests and metrics: the informers that run. */
  names(): readonly string[] {
    return [...this.#shared.keys()];
  }

  #informerOf(kind: Kind, interest: Interest): Shared {
    const isWhole = this.#options.client.view !== undefined;
    const name = nameOf(kind, isWhole ? {} : interest, interest.fieldSelector);
    const existing = this.#shared.get(name);
    if (existing !== undefined) return existing;
    const logger = this.#options.logger.with({ kind: kind.kind });
    const source = this.#sourceOf(kind, interest, logger);
    const shared = { name, informer: new Informer(source, logger, this.#turns), holders: 0 };
    this.#shared.set(name, shared);
    return shared;
  }

  /** In process nothing is copied, so the options that save memory are ignored. */
  #sourceOf(kind: Kind, interest: Interest, logger: Logger): ObjectSource {
    const { metadataOnly = false, versionsOnly = false, fieldSelector, excerpt } = interest;
    const { client, clock, random, namespace: scope } = this.#options;
    const namespace = kind.namespaced ? scope : undefined;
    const options = { client, clock, random, logger, kind, namespace, fieldSelector };
    return openSource(client.view === undefined ? { ...options, metadataOnly, versionsOnly, excerpt } : options);
  }

  async #release(shared: Shared): Promise<void> {
    shared.holders--;
    if (shared.holders > 0) return;
    this.#shared.delete(shared.name);
    await shared.informer.stop();
  }
}

function nameOf({ plural, group, version }: Kind, detail: Interest, fieldSelector: string | undefined): string {
  const { versionsOnly, metadataOnly, excerpt } = detail;
  const part = versionsOnly ? ' (versions)' : metadataOnly ? ' (metadata)' : excerpt ? ` (${excerpt.name})` : '';
  const selected = fieldSelector === undefined ? '' : ` where ${fieldSelector}`;
  return `${qualified(plural, group)}/${version}${part}${selected}`;
}
