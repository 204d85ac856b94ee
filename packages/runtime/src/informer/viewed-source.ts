/** The objects of a kind in a server of the same process: a view of the server's own index, nothing is copied. */
import type { Client } from '@flotilla/client';
import { isExpired, type Kind, type LiveView, type Logger, type ObjectKey, type ViewChange } from '@flotilla/kube';
import { pause, type Clock } from '@flotilla/timing';
import { ListedSource } from './listed-source.ts';
import type { ObjectSource, ReadonlyObject, SourceListener } from './object-source.ts';
import { retryDelay } from './resuming.ts';

export interface ViewedSourceOptions {
  readonly client: Client;
  readonly kind: Kind;
  readonly namespace?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

export class ViewedSource implements ObjectSource {
  readonly #options: ViewedSourceOptions;
  #view: LiveView | undefined;
  /** Where a kind cannot be viewed, it is listed. */
  #listed: ListedSource | undefined;
  /** Up to which revision all changes have been told; readers may see newer ones. Undefined: none, or too long ago. */
  #told: number | undefined;
  #failures = 0;
  #trouble: string | undefined;

  constructor(options: ViewedSourceOptions) {
    this.#options = options;
  }

  get(key: ObjectKey): ReadonlyObject | undefined {
    return this.#listed === undefined ? this.#view?.get(key) : this.#listed.get(key);
  }

  all(namespace?: string): Iterable<ReadonlyObject> {
    return (this.#listed ?? this.#view)?.all(namespace) ?? [];
  }

  get size(): number {
    return this.#listed?.size ?? this.#view?.size() ?? 0;
  }

  get revision(): number {
    return this.#listed?.revision ?? this.#told ?? 0;
  }

  get trouble(): string | undefined {
    return this.#listed?.trouble ?? this.#trouble;
  }

  async run(listener: SourceListener, signal: AbortSignal): Promise<void> {
    const { client, kind, namespace, fieldSelector } = this.#options;
    while (!signal.aborted) {
      try {
        const view = client.view?.(kind, {
          ...(namespace === undefined ? {} : { namespace }),
          ...(fieldSelector === undefined ? {} : { fieldSelector }),
        });
        await (view === undefined ? this.#list(listener, signal) : this.#follow(view, listener, signal));
      } catch (error) {
        await this.#recover(error, signal);
      }
    }
  }

  async #list(listener: SourceListener, signal: AbortSignal): Promise<void> {
    this.#listed = new ListedSource(this.#options);
    if (this.#view !== undefined) listener.opened();
    await this.#listed.run(listener, signal);
  }

  /** Until the view ends, which rejects, or the signal does. */
  async #follow(view: LiveView, listener: SourceListener, signal: AbortSignal): Promise<void> {
    const over = Promise.withResolvers<void>();
    const after = this.#told;
    this.#view = view;
    this.#told ??= view.revision();
    const stop = view.follow((change) => this.#tell(change, listener), over.reject, after);
    signal.addEventListener('abort', () => over.resolve(), { once: true });
    try {
      if (after === undefined) listener.opened();
      listener.synced();
      this.#trouble = undefined;
      await over.promise;
    } finally {
      stop();
    }
  }

  #tell(change: ViewChange, { changed }: SourceListener): void {
    this.#failures = 0;
    this.#told = change.revision;
    const isGone = change.type === 'DELETED';
    changed({
      key: change.key,
      now: () => (isGone ? undefined : change.object()),
      old: () => change.old() ?? (isGone ? change.object() : undefined),
      isLive: true,
    });
  }

  async #recover(error: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { clock, random, logger } = this.#options;
    if (isExpired(error)) this.#told = undefined;
    this.#trouble = error instanceof Error ? error.message : String(error);
    const delayMs = retryDelay(error, this.#failures++, random);
    logger.debug('view ended', { delayMs, error });
    await pause(clock, delayMs, signal);
  }
}
