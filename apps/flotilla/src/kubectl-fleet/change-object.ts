import { isConflict, type JsonObject, type Kind, type KubeObject, type ObjectKey } from '@flotilla/kube';
import type { Session } from '../session/session.ts';

const maxTries = 5;

/** Reads an object and writes what `change` makes of it, again if another writer was faster. Undefined: nothing to write. */
export async function changeObject<T extends KubeObject>(
  { hub, signal }: Session,
  kind: Kind<T>,
  key: ObjectKey,
  change: (object: T) => JsonObject | undefined,
  options: { readonly subresource?: string } = {},
): Promise<void> {
  for (let tries = 1; ; tries++) {
    const object = await hub.get(kind, key, { signal });
    const changes = change(object);
    if (changes === undefined) return;
    const value = { ...changes, metadata: { resourceVersion: object.metadata.resourceVersion ?? '' } };
    try {
      await hub.patch(kind, key, { type: 'merge', value }, { ...options, signal });
      return;
    } catch (error) {
      if (tries >= maxTries || !isConflict(error)) throw error;
    }
  }
}
