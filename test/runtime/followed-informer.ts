import assert from 'node:assert/strict';
import type { ConfigMap, KubeObject } from '@flotilla/kube';
import type { Informer } from '@flotilla/runtime';
import { configMap } from '@flotilla/testkit';

export function aConfigMap(name: string, tide = 'none'): ConfigMap {
  return configMap(name, { value: '1' }, { labels: { tide } });
}

const timeoutMs = 60_000;

/** Rebuilds the ConfigMaps of the namespace `default` from an informer's notifications alone. */
export class Follower {
  readonly #known = new Map<string, ConfigMap>();
  /** Names of objects whose `old` was not the previous `now`. */
  readonly #inconsistent: string[] = [];
  #onChange = (): void => {};

  constructor(informer: Informer) {
    informer.subscribe((now, old) => {
      const { namespace, name = '' } = (now ?? old)?.metadata ?? {};
      if (namespace !== 'default') return;
      if (versionOf(old) !== versionOf(this.#known.get(name))) this.#inconsistent.push(name);
      if (now === undefined) this.#known.delete(name);
      else this.#known.set(name, now);
      this.#onChange();
    });
  }

  get(name: string): ConfigMap | undefined {
    return this.#known.get(name);
  }

  /** By name. */
  versions(): ReadonlyMap<string, string> {
    assert.deepEqual(this.#inconsistent, []);
    return versionsOf(this.#known.values());
  }

  /** Resolves when the informer has notified of this version of the object. */
  untilSeen({ metadata: { name = '', resourceVersion } }: KubeObject): Promise<void> {
    return this.until(() => versionOf(this.get(name)) === resourceVersion);
  }

  until(isTrue: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => reject(new Error('the informer did not notify in time')), timeoutMs);
      this.#onChange = (): void => {
        if (!isTrue()) return;
        clearTimeout(timeout);
        resolve();
      };
      this.#onChange();
    });
  }
}

export function versionsOf(objects: Iterable<KubeObject>): ReadonlyMap<string, string> {
  const inDefault = [...objects].filter(({ metadata }) => metadata.namespace === 'default');
  return new Map(inDefault.map((object) => [object.metadata.name ?? '', versionOf(object) ?? '']));
}

function versionOf(object: Readonly<KubeObject> | undefined): string | undefined {
  return object?.metadata.resourceVersion;
}
