import { apiVersionOf, keyText, labelSelectorFrom, type KubeObject } from '@flotilla/kube';
import { itself, type Cache, type Controller } from '@flotilla/runtime';
import { kinds, type Job, type Pod } from '../kinds.ts';
import {
  claimable,
  concernsController,
  controlledBy,
  controllerIndex,
  controllerOf,
} from '../ownership/controller-of.ts';
import { FailureHistory } from './backoff.ts';
import { decideJob, type JobState } from './decide-job.ts';
import { finalCondition } from './job-condition.ts';
import { isTracked, untrack } from './job-pod.ts';

const fieldManager = 'kube-controller-manager';
const name = 'job-controller';

export function jobController(): Controller<JobState> {
  const history = new FailureHistory();
  return {
    name,
    fieldManager,
    watches: [
      { kind: kinds.job, concerns: itself, indexes: controllerIndex },
      { kind: kinds.pod, concerns: concernsController(kinds.job, adopters), indexes: controllerIndex },
    ],
    observe: (key, cache) => {
      const job = cache.get(kinds.job, key);
      if (job === undefined || isManagedElsewhere(job) || finalCondition(job) !== undefined) {
        history.forget(keyText(key));
        return undefined;
      }
      const candidates = claimable(job, kinds.pod, cache);
      const failures = history.observe(keyText(key), job, candidates);
      return { job, selector: labelSelectorFrom(job.spec?.selector), candidates, failures };
    },
    decide: decideJob,
  };
}

function adopters(orphan: KubeObject, cache: Cache) {
  return cache
    .list(kinds.job, { namespace: orphan.metadata.namespace })
    .filter((job) => labelSelectorFrom(job.spec?.selector).matches(orphan.metadata.labels))
    .flatMap((job) => itself(job, undefined));
}

/** `managedBy` gives a Job to another controller. */
function isManagedElsewhere({ spec }: Readonly<Job>): boolean {
  const { managedBy = 'kubernetes.io/job-controller' } = spec ?? {};
  return managedBy !== 'kubernetes.io/job-controller';
}

/** Removes the finalizer from pods that no running Job counts any more, so that they can be deleted. */
export const trackedPodController: Controller<Readonly<Pod>> = {
  name: 'job-orphan-pod-controller',
  wakes: isTracked,
  fieldManager,
  eventSource: name,
  watches: [
    {
      kind: kinds.pod,
      concerns: (now, _old, cache) => (now !== undefined && isAbandoned(now, cache) ? itself(now, undefined) : []),
      indexes: controllerIndex,
    },
    {
      kind: kinds.job,
      concerns: (now, old, cache) => {
        const job = now ?? old;
        if (job === undefined || (now !== undefined && finalCondition(now) === undefined)) return [];
        return controlledBy(job, kinds.pod, cache)
          .filter(isTracked)
          .flatMap((pod) => itself(pod, undefined));
      },
    },
  ],
  observe: (key, cache) => {
    const pod = cache.get(kinds.pod, key);
    return pod !== undefined && isAbandoned(pod, cache) ? pod : undefined;
  },
  decide: (pod) => ({ steps: [[untrack(pod)]] }),
};

/** Whether it has the finalizer but no Job that runs. */
function isAbandoned(pod: Readonly<KubeObject>, cache: Cache): boolean {
  if (!isTracked(pod)) return false;
  const reference = controllerOf(pod);
  if (reference === undefined) return true;
  if (reference.kind !== kinds.job.kind || reference.apiVersion !== apiVersionOf(kinds.job)) return false;
  const job = cache.get(kinds.job, { namespace: pod.metadata.namespace, name: reference.name });
  if (job === undefined || job.metadata.uid !== reference.uid) return true;
  return !isManagedElsewhere(job) && finalCondition(job) !== undefined;
}
