import assert from 'node:assert/strict';
import type { ConfigMap, KubeObject } from '@flotilla/kube';
import type { Informer } from '@flotilla/runtime';
import { configMap } from '@flotilla/testkit';

export function aConfigMap(name: string, tide = 'none'): ConfigMap {
  return configMap(name, { value: '1' }, { labels: { tide } });
}

/** Of a test that waits for what never comes. */
const patienceMs = 60_000;

/** What somebody knows who only listens to an informer of ConfigMaps, in the namespace `default`. */
export class Follower {
  readonly #known = new Map<string, ConfigMap>();
  /** Told as old was something else than what was told before. */
  readonly #surprises: string[] = [];
  #told = (): void => {};

  constructor(informer: Informer) {
    informer.subscribe((now, old) => {
      const { namespace, name = '' } = (now ?? old)?.metadata ?? {};
      if (namespace !== 'default') return;
      if (versionOf(old) !== versionOf(this.#known.get(name))) this.#surprises.push(name);
      if (now === undefined) this.#known.delete(name);
      else this.#known.set(name, now);
      this.#told();
    });
  }

  get(name: string): ConfigMap | undefined {
    return this.#known.get(name);
  }

  /** By name. */
  versions(): ReadonlyMap<string, string> {
    assert.deepEqual(this.#surprises, []);
    return versionsOf(this.#known.values());
  }

  /** When this object, in this state, was told of. */
  hearsOf({ metadata: { name = '', resourceVersion } }: KubeObject): Promise<void> {
    return this.until(() => versionOf(this.get(name)) === resourceVersion);
  }

  until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const tooLate = setTimeout(() => reject(new Error('it was never told')), patienceMs);
      this.#told = (): void => {
        if (!isSo()) return;
        clearTimeout(tooLate);
        resolve();
      };
      this.#told();
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
