import type { ManifestCondition, WorkResourceIdentifier } from '@flotilla/api';
import { identityOf } from '../manifest/identifier.ts';

/**
 * What a status said before, found by what it is about, so that times outlive a manifest's move in the list. Manifests that
 * cannot be named are found by their place; of several with one name, each finds its own.
 */
export class PreviousManifests {
  readonly #byName = new Map<string, ManifestCondition[]>();

  constructor(manifests: readonly ManifestCondition[]) {
    for (const manifest of manifests) {
      const name = nameOf(manifest.identifier);
      const alike = this.#byName.get(name);
      if (alike === undefined) this.#byName.set(name, [manifest]);
      else alike.push(manifest);
    }
  }

  /** To be asked for each manifest once, in their order. */
  of(identifier: WorkResourceIdentifier): ManifestCondition | undefined {
    return this.#byName.get(nameOf(identifier))?.shift();
  }
}

function nameOf(identifier: WorkResourceIdentifier): string {
  return identityOf(identifier) ?? `#${identifier.ordinal}`;
}
