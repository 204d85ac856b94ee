import { itself, nothingToDo, type Controller } from '@flotilla/runtime';
import { finalCondition } from '../jobs/job-condition.ts';
import { kinds, type Job } from '../kinds.ts';

/** Deletes a Job, and its pods with it, so many seconds after it finished. */
export const ttlController: Controller<Readonly<Job>> = {
  name: 'ttl-after-finished-controller',
  wakes: isDue,
  fieldManager: 'kube-controller-manager',
  watches: [{ kind: kinds.job, concerns: (now) => (now !== undefined && isDue(now) ? itself(now, undefined) : []) }],
  observe: (key, cache) => {
    const job = cache.get(kinds.job, key);
    return job !== undefined && isDue(job) ? job : undefined;
  },
  decide: (job, now) => {
    const { namespace, name = '', uid = '' } = job.metadata;
    const finished = Date.parse(finalCondition(job)?.lastTransitionTime ?? '');
    if (Number.isNaN(finished)) return nothingToDo;
    const waitMs = finished + (job.spec?.ttlSecondsAfterFinished ?? 0) * 1000 - now.getTime();
    if (waitMs > 0) return { ...nothingToDo, requeueAfterMs: waitMs };
    const key = { namespace, name };
    return { steps: [[{ verb: 'delete', kind: kinds.job, key, uid, propagationPolicy: 'Foreground' }]] };
  },
};

/** Whether it has ended and has a time to live. */
function isDue(job: Readonly<Job>): boolean {
  const { metadata, spec } = job;
  return (
    spec?.ttlSecondsAfterFinished !== undefined &&
    metadata.deletionTimestamp === undefined &&
    finalCondition(job) !== undefined
  );
}
