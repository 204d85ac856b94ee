import { ApiError, type KubeObject } from '@flotilla/kube';
import type { ListOptions, ObjectList } from './client.ts';

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
  if (!(error instanceof ApiError) || error.code !== 410) return undefined;
  const next = error.status.metadata['continue'];
  return typeof next === 'string' && next !== '' ? next : undefined;
}
