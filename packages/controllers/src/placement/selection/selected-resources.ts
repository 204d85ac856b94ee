import type { PlacedResource } from '@flotilla/api';
import type { JsonObject, Kind, KubeObject, ObjectKey } from '@flotilla/kube';
import { contentOf } from './content.ts';
import { digestOf, type DigestedObjects } from './digest-objects.ts';
import type { SelectedResources } from './selection.ts';

export interface ContentReader {
  readonly get: (kind: Kind, key: ObjectKey) => Readonly<KubeObject> | undefined;
  /** A reader of the content found another one: the selection is about to change. */
  readonly missed: () => void;
}

/** What a placement selected, without the content. Content is read from the informers when it is asked for. */
export class DigestedSelection implements SelectedResources {
  readonly #reader: ContentReader;
  #digested: DigestedObjects;

  constructor(digested: DigestedObjects, reader: ContentReader) {
    this.#digested = digested;
    this.#reader = reader;
  }

  get identifiers(): readonly PlacedResource[] {
    return this.#digested.identifiers;
  }

  get sizes(): readonly number[] {
    return this.#digested.sizes;
  }

  get envelopes(): number {
    return this.#digested.envelopes;
  }

  get hash(): string {
    return this.#digested.hash;
  }

  readonly contentAt = (index: number): JsonObject | undefined => {
    const content = this.#contentAt(index);
    if (content === undefined) this.#reader.missed();
    return content;
  };

  /** Takes over a later selection with the same content, and remains the same object. */
  continue(digested: DigestedObjects): boolean {
    if (digested.hash !== this.hash) return false;
    this.#digested = digested;
    return true;
  }

  #contentAt(index: number): JsonObject | undefined {
    const selected = this.#digested.objects[index];
    const object = selected && this.#reader.get(selected.kind, selected.key);
    if (selected === undefined || object === undefined) return undefined;
    const content = contentOf(selected.kind, object);
    if (object.metadata.resourceVersion === selected.resourceVersion) return content;
    // Its status may have changed, which is no content.
    return digestOf(content) === selected.digest ? content : undefined;
  }
}
