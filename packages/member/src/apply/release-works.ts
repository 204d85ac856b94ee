import { workFinalizer, works, type Work } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { ignoreNotFound, isConflict, isNotFound } from '@flotilla/kube';
import { withoutFinalizer } from './delete-work.ts';

/** A Work that changes all the time is given up after so many tries; whoever asked tries again. */
const maxTries = 5;

/** Lets the hub delete the member's Works without us. What they brought to the member stays there, and so does its owner. */
export async function releaseWorks(hub: Client, namespace: string): Promise<void> {
  for await (const work of hub.each(works, { namespace })) await releaseWork(hub, work);
}

async function releaseWork(hub: Client, found: Work): Promise<void> {
  const { namespace, name = '' } = found.metadata;
  let work: Work | undefined = found;
  for (let tries = 1; work?.metadata.finalizers?.includes(workFinalizer) === true; tries++) {
    try {
      await hub.update(works, withoutFinalizer(work));
      return;
    } catch (error) {
      if (!(isConflict(error) || isNotFound(error)) || tries >= maxTries) throw error;
      work = await hub.get(works, { namespace, name }).catch(ignoreNotFound);
    }
  }
}
