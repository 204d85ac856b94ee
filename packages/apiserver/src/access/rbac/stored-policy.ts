import { qualified, rbacGroup } from '@flotilla/kube';
import { decodeStored } from '../../resources/object-bytes.ts';
import type { Cursor, Entry, Store } from '../../store/store.ts';
import { bindingOf, rulesOf } from './binding.ts';
import { Policy } from './policy.ts';

/** Adds an object to the policy; undefined removes it. */
type Put = (policy: Policy, key: string, entry: Entry | undefined) => void;

const putRole: Put = (policy, key, entry) => policy.setRole(key, entry && rulesOf(decodeStored(entry.bytes)));
const putBinding: Put = (policy, key, entry) => policy.setBinding(key, entry && bindingOf(decodeStored(entry.bytes)));

const collections: readonly (readonly [collection: string, put: Put])[] = [
  [qualified('clusterroles', rbacGroup), putRole],
  [qualified('roles', rbacGroup), putRole],
  [qualified('clusterrolebindings', rbacGroup), putBinding],
  [qualified('rolebindings', rbacGroup), putBinding],
];

/**
 * The policy in the store. It reads pending changes on every query, so that a caller that has seen a change is authorized by
 * it. A server with requests of `system:masters` only never reads a role.
 */
export class StoredPolicy {
  readonly #store: Store;
  #policy = new Policy();
  #generation = 0;
  #cursors: readonly (readonly [cursor: Cursor, put: Put])[] | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  get generation(): number {
    this.current();
    return this.#generation;
  }

  current(): Policy {
    const cursors = this.#cursors;
    if (!cursors) return this.#load();
    for (const [cursor, put] of cursors) {
      for (let event = cursor.next(); event !== undefined; event = cursor.next()) {
        if (event === 'compacted') return this.#load();
        const { type, entry } = event;
        this.#generation++;
        put(this.#policy, entry.key.name, type === 'put' ? entry : undefined);
      }
    }
    return this.#policy;
  }

  #load(): Policy {
    for (const [cursor] of this.#cursors ?? []) cursor.close();
    const snapshot = this.#store.snapshot();
    const policy = new Policy();
    this.#cursors = collections.map(([collection, put]) => {
      for (const entry of snapshot.range(collection, '')) put(policy, entry.key.name, entry);
      const cursor = this.#store.watch({ collection, prefix: '' }, snapshot.revision);
      if (cursor === 'compacted') throw new Error('cannot watch from the newest revision: it is compacted');
      return [cursor, put] as const;
    });
    this.#policy = policy;
    this.#generation++;
    return policy;
  }
}
