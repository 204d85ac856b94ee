import { workFinalizer, works, type Work } from '@flotilla/api';
import type { Client } from '@flotilla/client';
import { ignoreNotFound, isConflict, isNotFound } from '@flotilla/kube';
import { withoutFinalizer } from './delete-work.ts';

/** Attempts for a Work that changes meanwhile. After that the call fails, and the caller retries. */
const maxTries = 5;

/** Removes the agent's finalizer from all Works, so that the hub can delete them. Objects and AppliedWorks stay on the member. */
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
