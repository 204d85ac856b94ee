import { apiVersionOf, onceFor } from '@flotilla/kube';
import { groupsOf } from '../discovery/legacy.ts';
import type { RegisteredVersion, Registry, ResourceCatalog } from '../resources/registry.ts';
import type { Resource } from '../resources/resource.ts';
import { discoveryPaths } from './discovery-paths.ts';
import { derivedDocument, documentOf, hashOf, type Document } from './document.ts';
import { RecentBytes } from './recent-bytes.ts';
import { customDocument, groupVersionDocument, plainDocument, rootDocument } from './document-v3.ts';

/** Clients cache documents by hash, so few are read twice. */
const maxRecentBytes = 8 * 1024 * 1024;

interface CustomDocument {
  /** The change counter of the group version when the document was created. */
  readonly changes: number;
  readonly document: Document;
}

/** The v3 documents by key. Built-in ones stay; that of custom resources is replaced when its group version changes. */
export class DocumentsV3 {
  readonly #registry: Registry;
  readonly #builtin: ReadonlyMap<string, Document>;
  readonly #custom = new Map<string, CustomDocument>();
  readonly #recent = new RecentBytes(maxRecentBytes);
  #index: ReadonlyMap<string, Document> | undefined;
  #changes = -1;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#builtin = builtinDocuments(registry.builtin);
  }

  get(key: string): Document | undefined {
    return this.#builtin.get(key) ?? this.all().get(key);
  }

  /** All documents, ordered by key. */
  all(): ReadonlyMap<string, Document> {
    if (!this.#index || this.#changes !== this.#registry.changes) {
      this.#changes = this.#registry.changes;
      this.#index = this.#current();
    }
    return this.#index;
  }

  #current(): ReadonlyMap<string, Document> {
    const documents = new Map(this.#builtin);
    for (const { name, versions } of groupsOf(this.#registry)) {
      for (const version of versions) {
        const key = keyOf(name, version.version);
        if (!this.#builtin.has(key)) documents.set(key, this.#customDocument(key, name, version));
      }
    }
    for (const key of this.#custom.keys()) if (!documents.has(key)) this.#custom.delete(key);
    return new Map([...documents].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #customDocument(key: string, group: string, { version, resources, changes }: RegisteredVersion): Document {
    const known = this.#custom.get(key);
    if (known?.changes === changes) return known.document;
    const hash = hashOf([group, version, ...resources.map(publishedHash)]);
    const document = derivedDocument(hash, this.#recent, () => customDocument(resources));
    this.#custom.set(key, { changes, document });
    return document;
  }
}

function publishedHash({ published }: Resource): string {
  return published?.hash() ?? '';
}

function keyOf(group: string, version: string): string {
  return group === '' ? `api/${version}` : `apis/${apiVersionOf({ group, version })}`;
}

const builtinDocuments = onceFor((catalog: ResourceCatalog): ReadonlyMap<string, Document> => {
  const documents = new Map<string, Document>([
    ['.well-known/openid-configuration', documentOf(() => plainDocument(discoveryPaths.issuer()))],
    ['openid/v1/jwks', documentOf(() => plainDocument(discoveryPaths.issuerKeys()))],
    ['api', documentOf(() => rootDocument(discoveryPaths.core(), 'meta/v1', 'APIVersions'))],
    ['apis', documentOf(() => rootDocument(discoveryPaths.groups(), 'meta/v1', 'APIGroupList'))],
    ['version', documentOf(() => rootDocument(discoveryPaths.version(), 'version', 'Info'))],
  ]);
  for (const { name, versions } of catalog.registered()) {
    if (name !== '') {
      const make = (): ReturnType<typeof rootDocument> =>
        rootDocument(discoveryPaths.group(name), 'meta/v1', 'APIGroup');
      documents.set(`apis/${name}`, documentOf(make));
    }
    for (const { version, resources } of versions) {
      documents.set(
        keyOf(name, version),
        documentOf(() => groupVersionDocument(name, version, resources)),
      );
    }
  }
  return documents;
});
