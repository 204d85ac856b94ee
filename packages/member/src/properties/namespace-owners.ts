import { appliedWorks, internalMemberClusterConditions, namespaceCollectionReasons } from '@flotilla/api';
import { apiVersionOf, type KubeObject } from '@flotilla/kube';
import type { ProviderCondition } from './property-provider.ts';

/** More namespaces would not fit into the InternalMemberCluster. */
const limit = 200;

const ownerVersion = apiVersionOf(appliedWorks);

/** The namespaces of a member and the Works that own them, without terminating namespaces. */
export class NamespaceOwners {
  readonly #works = new Map<string, string>();
  /** Namespaces above the limit, in order of arrival. */
  readonly #waiting = new Map<string, string>();

  /** Whether some namespaces are omitted. */
  get isOverLimit(): boolean {
    return this.#waiting.size > 0;
  }

  /** Names of Works by namespace; empty for a namespace without a Work. */
  works(): Record<string, string> {
    return Object.fromEntries(this.#works);
  }

  get condition(): ProviderCondition {
    const type = internalMemberClusterConditions.namespaceCollectionSucceeded;
    if (!this.isOverLimit) {
      const message = 'All namespaces have been collected successfully';
      return { type, status: 'True', reason: namespaceCollectionReasons.succeeded, message };
    }
    const message =
      'Namespaces are collected in a degraded mode since the number of namespaces reaches the track limit';
    return { type, status: 'False', reason: namespaceCollectionReasons.degraded, message };
  }

  /** Called by an informer. Returns whether `works` or `condition` differ now. */
  changed(now: Readonly<KubeObject> | undefined, old: Readonly<KubeObject> | undefined): boolean {
    const name = (now ?? old)?.metadata.name ?? '';
    if (now === undefined || now.metadata.deletionTimestamp !== undefined) return this.#remove(name);
    const work = workOf(now);
    const isKnown = this.#works.has(name);
    if (isKnown && this.#works.get(name) === work) return false;
    const wasOverLimit = this.isOverLimit;
    const hasRoom = isKnown || this.#works.size < limit;
    (hasRoom ? this.#works : this.#waiting).set(name, work);
    return hasRoom || !wasOverLimit;
  }

  #remove(name: string): boolean {
    const wasOverLimit = this.isOverLimit;
    this.#waiting.delete(name);
    if (!this.#works.delete(name)) return wasOverLimit !== this.isOverLimit;
    const [next] = this.#waiting;
    if (next === undefined) return true;
    this.#waiting.delete(next[0]);
    this.#works.set(...next);
    return true;
  }
}

function workOf({ metadata: { ownerReferences = [] } }: Readonly<KubeObject>): string {
  const owner = ownerReferences.find(
    ({ apiVersion, kind }) => apiVersion === ownerVersion && kind === appliedWorks.kind,
  );
  return owner?.name ?? '';
}
