import { keyText } from '@flotilla/kube';
import { itself, type Controller } from '@flotilla/runtime';
import { kinds } from '../kinds.ts';
import { concernsController, controlledBy, controllerIndex } from '../ownership/controller-of.ts';
import { decideCronJob, type CronJobState } from './decide-cron-job.ts';

export function cronJobController(): Controller<CronJobState> {
  /** The schedules that were last seen. */
  const schedules = new Map<string, string>();
  return {
    name: 'cronjob-controller',
    fieldManager: 'kube-controller-manager',
    watches: [
      { kind: kinds.cronJob, concerns: itself },
      { kind: kinds.job, concerns: concernsController(kinds.cronJob), indexes: controllerIndex },
    ],
    observe: (key, cache) => {
      const cronJob = cache.get(kinds.cronJob, key);
      if (cronJob === undefined) {
        schedules.delete(keyText(key));
        return undefined;
      }
      const { schedule = '', timeZone = '' } = cronJob.spec ?? {};
      const text = `${cronJob.metadata.uid} ${timeZone} ${schedule}`;
      const before = schedules.get(keyText(key)) ?? text;
      schedules.set(keyText(key), text);
      return {
        cronJob,
        isRescheduled: before !== text && before.startsWith(cronJob.metadata.uid ?? ''),
        jobs: controlledBy(cronJob, kinds.job, cache),
        jobNamed: (name) => cache.get(kinds.job, { namespace: key.namespace, name }),
      };
    },
    decide: decideCronJob,
  };
}
