import { podGracePeriod, type PodFields } from '@flotilla/builtins';
import type { DeletionBehavior } from './resource.ts';

/** A pod on a node is given time to stop; its kubelet says when it has. A later delete may only hurry it. */
export const podDeletion: DeletionBehavior = {
  gracePeriod: (object, asked) => podGracePeriod(object as PodFields, asked),
};
