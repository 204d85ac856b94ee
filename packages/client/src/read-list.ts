import { apiVersionOf, isExpired, isJsonObject, type JsonObject, type Kind, type KubeObject } from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import { ResponseTooLarge, type ResponseLimits } from './response-limits.ts';
import type { ListOptions, ObjectList } from './client.ts';
import { ItemSplitter } from './item-splitter.ts';
import { readJsonObject, readObject } from './read-body.ts';

/** Minimum memory of an object beyond its text. A list of tiny objects takes many times its transfer size. */
const itemBytes = 512;

export interface ReadOptions {
  readonly limits: ResponseLimits;
  readonly turns: LoopTurns;
}

/** Reads a list item by item while it arrives. */
export async function readList<T extends KubeObject>(
  kind: Kind<T>,
  body: AsyncIterable<Uint8Array>,
  { limits, turns }: ReadOptions,
): Promise<ObjectList<T>> {
  const splitter = new ItemSplitter();
  const items: T[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    for (const item of splitter.push(piece)) {
      if (item.length > limits.object) throw new ResponseTooLarge('an item of the list', limits.object);
      bytes += itemBytes;
      items.push(named(kind, readObject(item) as T));
      if (turns.isOverAfter(item.length)) await turns.next();
    }
    if (bytes > limits.list) throw new ResponseTooLarge('the list', limits.list);
  }
  return { items, ...metadataIn(splitter.frame()) };
}

/** Lists of built-in kinds omit apiVersion and kind in the items. */
function named<T extends KubeObject>(kind: Kind<T>, item: T): T {
  if ('kind' in item) return item;
  const fields: JsonObject = item;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...fields } as T;
}

function metadataIn(frame: Uint8Array): Omit<ObjectList<KubeObject>, 'items'> {
  const { metadata } = readJsonObject(frame);
  const { resourceVersion, continue: next, remainingItemCount } = isJsonObject(metadata) ? metadata : {};
  return {
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : '',
    ...(typeof next === 'string' && next !== '' && { continue: next }),
    ...(typeof remainingItemCount === 'number' && { remainingItemCount }),
  };
}

/** client-go's page size. */
const pageSize = 500;

/**
 * Yields every object of a list, page by page. If the revision expires midway (410), it continues after the last
 * object in the current state, if the server offers a token for that. No object comes twice.
 */
export async function* listInPages<T extends KubeObject>(
  list: (options: ListOptions) => Promise<ObjectList<T>>,
  options: ListOptions,
): AsyncGenerator<T, void> {
  let page: ListOptions = { ...options, limit: options.limit ?? pageSize };
  for (;;) {
    const { items, continue: next } = await list(page).catch((error: unknown) => {
      const rest = page.continue === undefined ? undefined : continueAfter(error);
      if (rest === undefined) throw error;
      return { items: [], continue: rest };
    });
    yield* items;
    if (next === undefined) return;
    page = nextPage(page, next);
  }
}

/** The continue token already names the revision. */
function nextPage(page: ListOptions, next: string): ListOptions {
  const { resourceVersion: _revision, resourceVersionMatch: _match, ...rest } = page;
  return { ...rest, continue: next };
}

function continueAfter(error: unknown): string | undefined {
  if (!isExpired(error)) return undefined;
  const next = error.status.metadata['continue'];
  return typeof next === 'string' && next !== '' ? next : undefined;
}
