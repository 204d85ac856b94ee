import { itself, type Controller } from '@flotilla/runtime';
import { kinds } from '../kinds.ts';
import { concernsController, controlledBy, controllerIndex } from '../ownership/controller-of.ts';
import { decideCronJob, type CronJobState } from './decide-cron-job.ts';

export const cronJobController: Controller<CronJobState> = {
  name: 'cronjob-controller',
  fieldManager: 'kube-controller-manager',
  watches: [
    { kind: kinds.cronJob, concerns: itself },
    { kind: kinds.job, concerns: concernsController(kinds.cronJob), indexes: controllerIndex },
  ],
  observe: (key, cache) => {
    const cronJob = cache.get(kinds.cronJob, key);
    if (cronJob === undefined) return undefined;
    const { namespace } = key;
    return {
      cronJob,
      jobs: controlledBy(cronJob, kinds.job, cache),
      jobNamed: (name) => cache.get(kinds.job, { namespace, name }),
    };
  },
  decide: decideCronJob,
};
