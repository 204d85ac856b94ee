import type { Cache, Indexes } from '@flotilla/runtime';
import { kinds, type Pod } from '../kinds.ts';

const indexName = 'node';

/** Finds pods by the name of their node. */
export const nodeIndex: Indexes = {
  [indexName]: (pod) => {
    const { nodeName = '' } = (pod as Readonly<Pod>).spec ?? {};
    return nodeName === '' ? [] : [nodeName];
  },
};

/** The watch on pods needs `nodeIndex`. */
export function podsOnNode(nodeName: string, cache: Cache): readonly Readonly<Pod>[] {
  return cache.indexed(kinds.pod, indexName, nodeName);
}
