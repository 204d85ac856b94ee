/** The Job that a CronJob starts at a scheduled time. */
import { apiVersionOf, zoneOffset } from '@flotilla/kube';
import { kinds, type CronJob, type Job, type ObjectReference } from '../kinds.ts';
import { controllerReference } from '../ownership/controller-of.ts';

const scheduledTimeAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/** The name contains the scheduled minute, so that no time starts two Jobs. */
export function jobName({ metadata }: Readonly<CronJob>, scheduled: number): string {
  return `${metadata.name}-${Math.floor(scheduled / 60_000)}`;
}

export function scheduledJob(cronJob: Readonly<CronJob>, scheduled: number): Job {
  const { timeZone = '', jobTemplate } = cronJob.spec ?? {};
  const { labels, annotations } = jobTemplate?.metadata ?? {};
  return {
    apiVersion: apiVersionOf(kinds.job),
    kind: kinds.job.kind,
    metadata: {
      name: jobName(cronJob, scheduled),
      namespace: cronJob.metadata.namespace ?? '',
      ...(labels && { labels: { ...labels } }),
      annotations: { ...annotations, [scheduledTimeAnnotation]: localTime(scheduled, timeZone) },
      ownerReferences: [controllerReference(kinds.cronJob, cronJob)],
    },
    spec: { ...jobTemplate?.spec },
  };
}

export function referenceTo({ metadata }: Readonly<Job>): ObjectReference {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = metadata;
  return { kind: kinds.job.kind, namespace, name, uid, apiVersion: apiVersionOf(kinds.job), resourceVersion };
}

/** `2026-11-16T01:00:00+01:00`. */
function localTime(moment: number, zone: string): string {
  const offset = zoneOffset(zone)(moment);
  const local = new Date(moment + offset).toISOString().slice(0, -'.000Z'.length);
  if (offset === 0) return `${local}Z`;
  const minutes = Math.abs(offset) / 60_000;
  const twoDigits = (value: number): string => `${Math.floor(value)}`.padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${twoDigits(minutes / 60)}:${twoDigits(minutes % 60)}`;
}
