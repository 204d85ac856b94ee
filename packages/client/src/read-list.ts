import { apiVersionOf, isExpired, isJsonObject, type JsonObject, type Kind, type KubeObject } from '@flotilla/kube';
import type { LoopTurns } from '@flotilla/timing';
import { AnswerTooLarge, type AnswerLimits } from './answer-limits.ts';
import type { ListOptions, ObjectList } from './client.ts';
import { ItemSplitter } from './item-splitter.ts';
import { readJsonObject, readObject } from './read-body.ts';

/** What an object in memory takes beside its text, at least: a list of tiny ones takes many times what was sent. */
const itemBytes = 512;

export interface ReadOptions {
  readonly limits: AnswerLimits;
  readonly turns: LoopTurns;
}

/** Reads a list while it comes, item by item. */
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
      if (item.length > limits.object) throw new AnswerTooLarge('an item of the list', limits.object);
      bytes += itemBytes;
      items.push(named(kind, readObject(item) as T));
      if (turns.isOverAfter(item.length)) await turns.next();
    }
    if (bytes > limits.list) throw new AnswerTooLarge('the list', limits.list);
  }
  return { items, ...metadataIn(splitter.frame()) };
}

/** Lists of built-in kinds do not repeat in each item what it is. */
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

/** client-go's. */
const pageSize = 500;

/**
 * Every object of a list, page by page. When the revision that it reads is gone in the middle (410), it goes on behind the last
 * object in what is there now, if the server offers that: what was handed out cannot be taken back, so nothing comes twice.
 */
export async function* eachInPages<T extends KubeObject>(
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

/** A page after the first is of the revision that its token names. */
function nextPage(page: ListOptions, next: string): ListOptions {
  const { resourceVersion: _revision, resourceVersionMatch: _match, ...rest } = page;
  return { ...rest, continue: next };
}

function continueAfter(error: unknown): string | undefined {
  if (!isExpired(error)) return undefined;
  const next = error.status.metadata['continue'];
  return typeof next === 'string' && next !== '' ? next : undefined;
}
