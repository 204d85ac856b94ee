import { appliedWorks } from '@flotilla/api';
import { apiVersionOf, type KubeObject } from '@flotilla/kube';

/** More are not reported: they would not fit into the object that reports them. */
const limit = 200;

const ownerVersion = apiVersionOf(appliedWorks);

/** The namespaces of a member, and with which Work each of them came. Those that are on their way out do not count. */
export class NamespaceOwners {
  readonly #works = new Map<string, string>();
  /** Namespaces for which there is no room at the moment, in the order in which they came. */
  readonly #waiting = new Map<string, string>();

  /** Whether some are left out. */
  get isOverLimit(): boolean {
    return this.#waiting.size > 0;
  }

  /** By namespace; empty for those that came with no Work. */
  works(): Record<string, string> {
    return Object.fromEntries(this.#works);
  }

  /** As an informer tells it. */
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
