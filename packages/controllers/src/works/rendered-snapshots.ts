import type { ResourceSnapshot } from '@flotilla/api';
import { jsonSize } from '@flotilla/kube';
import type { EnvelopeRules } from './envelope-manifests.ts';
import { completeGroup, renderSnapshot, type RenderedGroup, type RenderedWork } from './rendered-group.ts';

interface Entry {
  readonly snapshot: Readonly<ResourceSnapshot>;
  readonly rendered: RenderedGroup;
  readonly bytes: number;
}

/** Of JSON. In memory it is a few times that. */
const maxBytes = 32 * 1024 * 1024;

/**
 * Renders each snapshot once for all clusters that get it. Keeps the snapshots that were used last: a view of a server parses an
 * object again once no caller holds it, and a snapshot may be large.
 */
export class RenderedSnapshots {
  readonly #rules: EnvelopeRules;
  /** By uid, the least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(rules: EnvelopeRules) {
    this.#rules = rules;
  }

  /** The Works of the group of this master; `groupMembers` reads the snapshots with its index, itself included. */
  group(master: Readonly<ResourceSnapshot>, groupMembers: () => readonly Readonly<ResourceSnapshot>[]): RenderedGroup {
    const group = completeGroup(master, groupMembers);
    if (group.problem !== undefined) return group;
    const works: RenderedWork[] = [];
    for (const snapshot of group.snapshots) {
      const rendered = this.#rendered(snapshot);
      if (rendered.problem !== undefined) return rendered;
      works.push(...rendered.works);
    }
    return { works };
  }

  #rendered(snapshot: Readonly<ResourceSnapshot>): RenderedGroup {
    const { uid = '' } = snapshot.metadata;
    const known = this.#entries.get(uid);
    if (known !== undefined) this.#remove(uid, known);
    const entry = known?.snapshot === snapshot ? known : this.#render(snapshot);
    this.#entries.set(uid, entry);
    this.#bytes += entry.bytes;
    for (const [oldest, old] of this.#entries) {
      if (this.#bytes <= maxBytes) break;
      this.#remove(oldest, old);
    }
    return entry.rendered;
  }

  #remove(uid: string, { bytes }: Entry): void {
    this.#entries.delete(uid);
    this.#bytes -= bytes;
  }

  #render(snapshot: Readonly<ResourceSnapshot>): Entry {
    const bytes = jsonSize(snapshot.spec.selectedResources, maxBytes);
    return { snapshot, rendered: renderSnapshot(snapshot, this.#rules), bytes };
  }
}
