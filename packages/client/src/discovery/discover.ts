import type { JsonObject } from '@flotilla/kube';
import { maxDiscoveryBytes as maxBytes } from '../response-limits.ts';
import type { Client, RawResponse } from '../client.ts';
import { readJsonObject } from '../read-body.ts';
import { aggregatedAccept, isAggregated, aggregatedKinds } from './aggregated-discovery.ts';
import type { DiscoveredKind, DiscoveredKinds } from './discovered-kind.ts';
import { legacyKinds } from './legacy-discovery.ts';

/** Every given field must match. Without a version, finds the preferred version that has the kind. */
export interface KindQuery {
  /** Empty: the core group. Absent: any group. */
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly plural?: string;
}

/** The kinds of a server, cached until `find` misses. */
export interface Discovery {
  /** Refreshes before it returns undefined. */
  readonly find: (query: KindQuery) => Promise<DiscoveredKind | undefined>;
  /** The cached kinds, or those of the first refresh. */
  readonly all: () => Promise<DiscoveredKinds>;
  readonly refresh: () => Promise<DiscoveredKinds>;
}

export function discover(client: Client): Discovery {
  const documents = new Documents(client);
  let known: DiscoveredKinds | undefined;
  let loading: Promise<DiscoveredKinds> | undefined;

  const load = async (): Promise<DiscoveredKinds> => {
    try {
      return (known = await documents.read());
    } finally {
      loading = undefined;
    }
  };
  const refresh = (): Promise<DiscoveredKinds> => (loading ??= load());
  return {
    find: async (query) => {
      const found = known && kindIn(known, query);
      return found ?? kindIn(await refresh(), query);
    },
    all: async () => known ?? refresh(),
    refresh,
  };
}

function kindIn({ kinds }: DiscoveredKinds, query: KindQuery): DiscoveredKind | undefined {
  const { group, version, kind, plural } = query;
  return kinds.find(
    (candidate) =>
      (kind === undefined || candidate.kind === kind) &&
      (plural === undefined || candidate.plural === plural) &&
      (group === undefined || candidate.group === group) &&
      (version === undefined || candidate.version === version),
  );
}

/** By document. Servers of this process with equal kinds answer with the same bytes, so that a fleet parses them once. */
const parsedDocuments = new WeakMap<Uint8Array, DiscoveredKinds>();

function kindsIn(document: Uint8Array): DiscoveredKinds {
  let kinds = parsedDocuments.get(document);
  if (kinds === undefined) parsedDocuments.set(document, (kinds = aggregatedKinds(readJsonObject(document))));
  return kinds;
}

/** By both documents of a server, so that what is computed from the kinds of a server can be shared by servers, too. */
const joinedDocuments = new WeakMap<DiscoveredKinds, WeakMap<DiscoveredKinds, DiscoveredKinds>>();

function joined(core: DiscoveredKinds, groups: DiscoveredKinds): DiscoveredKinds {
  let known = joinedDocuments.get(core);
  if (known === undefined) joinedDocuments.set(core, (known = new WeakMap()));
  let all = known.get(groups);
  if (all === undefined) {
    all = { kinds: [...core.kinds, ...groups.kinds], stale: [...core.stale, ...groups.stale] };
    known.set(groups, all);
  }
  return all;
}

/** A refresh without changes costs two small responses, because of ETags. */
class Documents {
  readonly #client: Client;
  readonly #kept = new Map<string, { readonly etag: string; readonly kinds: DiscoveredKinds }>();

  constructor(client: Client) {
    this.#client = client;
  }

  async read(): Promise<DiscoveredKinds> {
    const [core, groups] = await Promise.all([this.#aggregated('/api'), this.#aggregated('/apis')]);
    if (core === undefined || groups === undefined) return legacyKinds((path) => this.#document(path));
    return joined(core, groups);
  }

  /** Returns undefined if the server has no aggregated discovery. */
  async #aggregated(path: string): Promise<DiscoveredKinds | undefined> {
    const kept = this.#kept.get(path);
    const response = await this.#get(path, kept && { 'if-none-match': kept.etag });
    if (response.status === 304) return kept?.kinds;
    if (!isAggregated(response.headers['content-type'])) return undefined;
    const kinds = kindsIn(response.body);
    const { etag } = response.headers;
    if (etag !== undefined) this.#kept.set(path, { etag, kinds });
    return kinds;
  }

  #get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<RawResponse> {
    return this.#client.request({ method: 'GET', path, headers: { accept: aggregatedAccept, ...headers }, maxBytes });
  }

  async #document(path: string): Promise<JsonObject> {
    return readJsonObject((await this.#client.request({ method: 'GET', path, maxBytes })).body);
  }
}
