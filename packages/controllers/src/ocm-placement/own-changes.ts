/** Recognizes the changes that plans of this stage make, so that they do not wake the Placement again. */
import { jsonEquals, keyText, type Kind, type KubeObject } from '@flotilla/kube';
import { kindText, type Plan } from '@flotilla/runtime';

type Content = KubeObject[string];

/** What the object will have; undefined for what no plan changes. */
interface Expected {
  readonly status?: Content;
  readonly isGone?: boolean;
}

export class OwnChanges {
  /** Until the change is seen. */
  readonly #expected = new Map<string, Expected>();

  planned({ steps }: Plan): void {
    for (const write of steps.flat()) {
      if (write.verb === 'create') this.#expected.set(textOf(write.kind, write.object), {});
      if (write.verb === 'delete')
        this.#expected.set(`${kindText(write.kind)} ${keyText(write.key)}`, { isGone: true });
      if (write.verb === 'patch' && write.subresource === 'status') {
        const status = write.patch['status'] ?? null;
        this.#expected.set(`${kindText(write.kind)} ${keyText(write.key)}`, { status });
      }
    }
  }

  /** Call for each change once: what is seen is forgotten. */
  isOwn(kind: Kind, now: Readonly<KubeObject> | undefined, old: Readonly<KubeObject> | undefined): boolean {
    const object = now ?? old;
    const key = object === undefined ? '' : textOf(kind, object);
    const expected = this.#expected.get(key);
    if (expected === undefined) return false;
    // The creation of an object whose status follows.
    if (old === undefined && now?.['status'] === undefined) return true;
    this.#expected.delete(key);
    if (now === undefined) return expected.isGone === true;
    return (
      old !== undefined && isSameStatus(now['status'], expected.status) && jsonEquals(labelsOf(now), labelsOf(old))
    );
  }
}

/** A patch leaves alone what it does not mention. */
function isSameStatus(status: Content, expected: Content): boolean {
  if (typeof expected !== 'object' || expected === null || Array.isArray(expected)) return false;
  const found = (status ?? {}) as Readonly<Record<string, Content>>;
  return Object.entries(expected as Record<string, Content>).every(([key, value]) =>
    jsonEquals(found[key] ?? null, value ?? null),
  );
}

function labelsOf({ metadata: { labels = {} } }: Readonly<KubeObject>): Readonly<Record<string, string>> {
  return labels;
}

function textOf(kind: Kind, { metadata: { namespace, name = '' } }: Readonly<KubeObject>): string {
  return `${kindText(kind)} ${keyText({ namespace, name })}`;
}
