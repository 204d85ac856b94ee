import type { Client } from '@flotilla/client';
import { isConflict, isNotFound, type Kind, type KubeObject, type Logger, type Namespace } from '@flotilla/kube';
import { TransientError, WorkLoop, type ObjectChange } from '@flotilla/runtime';
import type { Clock, LoopTurns } from '@flotilla/timing';
import type { Collections } from '../collections/collections.ts';
import { kinds, type Pod } from '../kinds.ts';
import { fieldManager, retryLimits } from '../settings.ts';
import { deletionsIn, dueNow, shouldEmpty, isPods, report, type Deletion, type Remains } from './decide.ts';

export interface NamespaceEmptierOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly turns: LoopTurns;
  readonly logger: Logger;
  readonly collections: Collections;
}

/** Deletions that share a commit of the store. */
const concurrency = 32;

/** Objects of a namespace disappear in batches, and one pass serves a batch. */
const batchDelayMs = 5;

/**
 * Deletes the content of terminating namespaces, reports progress in their conditions, and removes the finalizer. The
 * conditions depend on the outcome of its deletions, so it is no ordinary controller with one plan.
 */
export class NamespaceEmptier {
  readonly #options: NamespaceEmptierOptions;
  readonly #loop: WorkLoop;
  /** Names of namespaces with content left. */
  readonly #terminating = new Set<string>();

  constructor(options: NamespaceEmptierOptions) {
    this.#options = options;
    const { clock, turns, logger, collections } = options;
    this.#loop = new WorkLoop({
      name: 'namespace',
      clock,
      turns,
      logger: logger.with({ controller: 'namespace' }),
      workers: 4,
      retryLimits,
      turn: (name) => this.#empty(name),
    });
    this.#loop.start();
    collections.listen({
      changed: (kind, change) => this.#changed(kind, change),
      missed: () => this.#requeueAll(),
      discovered: () => this.#requeueAll(),
    });
  }

  /** Whether no namespace is queued, running or failing. */
  get isAtRest(): boolean {
    return this.#loop.isAtRest && this.#loop.failing === 0;
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  #changed(kind: Kind, { key, outline, isGone, isLive }: ObjectChange): void {
    if (kind.plural === kinds.namespace.plural && kind.group === '') {
      if (isGone) this.#terminating.delete(key.name);
      else if (outline.deletionTimestamp !== undefined) this.#loop.add(key.name);
    } else if (key.namespace !== undefined && this.#terminating.has(key.namespace) && (isLive || isGone)) {
      this.#loop.addAfter(key.namespace, batchDelayMs);
    }
  }

  #requeueAll(): void {
    for (const name of this.#terminating) this.#loop.add(name);
  }

  async #empty(name: string): Promise<number | undefined> {
    const { client, clock, collections } = this.#options;
    const namespace: Namespace | undefined = await collections.get(kinds.namespace, { name });
    if (!namespace || !shouldEmpty(namespace)) {
      this.#terminating.delete(name);
      return undefined;
    }
    this.#terminating.add(name);
    const { failure: discoveryFailure } = await collections.whenDiscovered();
    const served = collections.preferred('delete', 'list').filter(({ namespaced }) => namespaced);
    const { content, failures } = await this.#deleteDue(served, name);
    const outcome = { content, failures, ...(discoveryFailure !== undefined && { discoveryFailure }) };
    const { status, finalized, hasFailed, requeueAfterMs } = report(namespace, outcome, new Date(clock.now()));
    const written = status && (await client.update(kinds.namespace, status, { subresource: 'status', fieldManager }));
    if (finalized) {
      await this.#finalize(finalized, written ?? namespace);
      return undefined;
    }
    // An object that was created or changed meanwhile has not been deleted yet.
    const isUnfinished = deletionsIn(content).length > 0;
    const [cause = discoveryFailure] = [...failures.values()].map(({ message }) => message);
    if (hasFailed || isUnfinished) throw new NotEmptied(name, cause);
    return requeueAfterMs;
  }

  /** Deletes pods, and the rest once no pod is left. */
  async #deleteDue(served: readonly Kind[], name: string) {
    const due = dueNow(await this.#contentOf(served, name));
    let failures = await this.#delete(deletionsIn(due));
    let content = dueNow(await this.#contentOf(served, name));
    if (due.some(isPods) && !content.some(isPods)) {
      failures = await this.#delete(deletionsIn(content));
      content = await this.#contentOf(served, name);
    }
    return { content, failures };
  }

  async #finalize(finalized: Namespace, { metadata }: KubeObject): Promise<void> {
    const { client } = this.#options;
    try {
      await client.update(kinds.namespace, { ...finalized, metadata }, { subresource: 'finalize', fieldManager });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async #contentOf(served: readonly Kind[], namespace: string): Promise<Remains[]> {
    const { collections } = this.#options;
    const content: Remains[] = [];
    for (const kind of served) {
      const items = await collections.contents(kind, namespace);
      const remains = { kind, items, graceSeconds: 0 };
      if (items.length === 0) continue;
      content.push(isPods(remains) ? { ...remains, graceSeconds: await this.#graceOf(remains) } : remains);
    }
    return content;
  }

  async #graceOf({ kind, items }: Remains): Promise<number> {
    const pods = await Promise.all(items.map(({ key }) => this.#options.collections.get(kind, key)));
    return Math.max(0, ...pods.map((pod) => graceOf(pod)));
  }

  /** Returns the first failure of each kind. NotFound and Conflict (another uid) mean that the object is gone. */
  async #delete(deletions: readonly Deletion[]): Promise<ReadonlyMap<Kind, Error>> {
    const failures = new Map<Kind, Error>();
    for (let at = 0; at < deletions.length; at += concurrency) {
      await Promise.all(deletions.slice(at, at + concurrency).map((deletion) => this.#deleteOne(deletion, failures)));
      await this.#options.turns.next();
    }
    return failures;
  }

  async #deleteOne({ kind, key, uid }: Deletion, failures: Map<Kind, Error>): Promise<void> {
    try {
      // All content is deleted, so dependents need no order.
      await this.#options.client.delete(kind, key, { uid, propagationPolicy: 'Background' });
    } catch (error) {
      const isGone = isNotFound(error) || isConflict(error);
      if (!isGone && !failures.has(kind)) failures.set(kind, error as Error);
    }
  }
}

class NotEmptied extends TransientError {
  override readonly name = 'NotEmptied';

  constructor(namespace: string, cause: string | undefined) {
    super(`namespace ${namespace} could not be emptied${cause === undefined ? '' : `: ${cause}`}`);
  }
}

/** Pods that have ended need no grace period. */
function graceOf(pod: Pod | undefined): number {
  const phase = pod?.status?.phase;
  return phase === 'Succeeded' || phase === 'Failed' ? 0 : Number(pod?.spec?.terminationGracePeriodSeconds ?? 0);
}
