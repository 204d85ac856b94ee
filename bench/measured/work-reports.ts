import { memberNamespace, workConditions, works, type Work } from '@flotilla/api';
import type { Client } from '@flotilla/client';

/** Watches the status of a member's Works on the hub. */
export class WorkReports {
  readonly #watching = new AbortController();
  readonly #done = new Set<string>();
  readonly #waiting = new Map<string, () => void>();
  readonly #stopped: Promise<void>;

  constructor(hub: Client, member: string) {
    this.#stopped = this.#follow(hub, memberNamespace(member));
  }

  /** Resolves when the hub reports all objects of the Work as applied and available. */
  of(work: string): Promise<void> {
    return new Promise((resolve) => {
      if (this.#done.has(work)) resolve();
      else this.#waiting.set(work, resolve);
    });
  }

  async stop(): Promise<void> {
    this.#watching.abort();
    await this.#stopped;
  }

  async #follow(hub: Client, namespace: string): Promise<void> {
    const { signal } = this.#watching;
    for await (const { object } of hub.watch(works, { namespace, resourceVersion: '0', signal })) {
      const { name = '' } = object.metadata;
      if (!isDone(object) || this.#done.has(name)) continue;
      this.#done.add(name);
      this.#waiting.get(name)?.();
    }
  }
}

function isDone({ metadata: { generation }, status }: Work): boolean {
  const holds = (wanted: string): boolean =>
    status?.conditions?.some(
      ({ type, status: is, observedGeneration }) =>
        type === wanted && is === 'True' && observedGeneration === generation,
    ) ?? false;
  return holds(workConditions.applied) && holds(workConditions.available);
}
