import { appliedWorks } from '@flotilla/api';
import { apiVersionOf, type KubeObject } from '@flotilla/kube';

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

  /** Called by an informer. */
  changed(now: Readonly<KubeObject> | undefined, old: Readonly<KubeObject> | undefined): void {
    const name = (now ?? old)?.metadata.name ?? '';
    if (now === undefined || now.metadata.deletionTimestamp !== undefined) return this.#remove(name);
    const isKnown = this.#works.has(name);
    const hasRoom = isKnown || this.#works.size < limit;
    (hasRoom ? this.#works : this.#waiting).set(name, workOf(now));
  }

  #remove(name: string): void {
    this.#waiting.delete(name);
    if (!this.#works.delete(name)) return;
    const [next] = this.#waiting;
    if (next === undefined) return;
    this.#waiting.delete(next[0]);
    this.#works.set(...next);
  }
}

function workOf({ metadata: { ownerReferences = [] } }: Readonly<KubeObject>): string {
  const owner = ownerReferences.find(
    ({ apiVersion, kind }) => apiVersion === ownerVersion && kind === appliedWorks.kind,
  );
  return owner?.name ?? '';
}
