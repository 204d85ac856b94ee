import { createHash } from 'node:crypto';
import { encodeProtobuf } from '@flotilla/builtins';
import { onceFor, type JsonObject, type KubeObject } from '@flotilla/kube';
import type { Encoding } from '../request/negotiate.ts';
import { textBytes } from '../response/respond.ts';
import type { Registry, ResourceCatalog } from '../resources/registry.ts';
import { aggregatedDiscovery, aggregatedText, versionText } from './aggregated.ts';
import type { Group } from './legacy.ts';

/** The aggregated document in all encodings. Each is encoded on first use. */
export class AggregatedForms {
  readonly #groups: readonly Group[];
  readonly #bytes = new Map<Encoding, Uint8Array>();
  #etag: string | undefined;

  constructor(groups: readonly Group[]) {
    this.#groups = groups;
  }

  /** All encodings are one document and have one ETag. */
  get etag(): string {
    return (this.#etag ??= etagOf(this.bytes('json')));
  }

  bytes(encoding: Encoding): Uint8Array {
    let bytes = this.#bytes.get(encoding);
    if (!bytes) this.#bytes.set(encoding, (bytes = this.#encode(encoding)));
    return bytes;
  }

  pretty(encoding: Encoding): Uint8Array {
    return encodedDocument(encoding, aggregatedDiscovery(this.#groups), true);
  }

  #encode(encoding: Encoding): Uint8Array {
    if (encoding === 'json') return Buffer.from(`${aggregatedText(this.#groups)}\n`);
    return encodedDocument(encoding, aggregatedDiscovery(this.#groups), false);
  }
}

/**
 * Servers of a process with equal discovery share the document. They differ only in what definitions add to the built-in
 * kinds. The document is kept while a server uses it.
 */
export function aggregatedForms(groups: readonly Group[], registry: Registry): AggregatedForms {
  const content = groups
    .flatMap(({ name, versions }) => [
      name,
      ...versions.filter(({ version }) => !registry.isBuiltin(name, version)).map(versionText),
    ])
    .join('\n');
  const known = formsByContent(registry.builtin);
  const shared = known.get(content)?.deref();
  if (shared) return shared;
  for (const [text, reference] of known) if (!reference.deref()) known.delete(text);
  const forms = new AggregatedForms(groups);
  known.set(content, new WeakRef(forms));
  return forms;
}

const formsByContent = onceFor((_catalog: ResourceCatalog) => new Map<string, WeakRef<AggregatedForms>>());

export function encodedDocument(encoding: Encoding, document: JsonObject, pretty: boolean): Uint8Array {
  return encoding === 'protobuf'
    ? encodeProtobuf({ apiVersion: '', ...document } as KubeObject)
    : textBytes(encoding, document, pretty);
}

function etagOf(bytes: Uint8Array): string {
  return `"${createHash('sha512').update(bytes).digest('hex').toUpperCase()}"`;
}
