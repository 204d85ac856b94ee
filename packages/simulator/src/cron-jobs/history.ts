import { finalCondition } from '../jobs/job-condition.ts';
import type { CronJob, Job } from '../kinds.ts';

/** The oldest finished Jobs, beyond the number that the CronJob keeps. */
export function jobsBeyondHistory({ spec }: Readonly<CronJob>, jobs: readonly Readonly<Job>[]): Readonly<Job>[] {
  const beyond = (type: string, limit: number | undefined): Readonly<Job>[] => {
    const ended = jobs.filter((job) => finalCondition(job)?.type === type);
    const surplus = ended.length - (limit ?? Infinity);
    return surplus <= 0 ? [] : ended.sort(byStart).slice(0, surplus);
  };
  return [...beyond('Complete', spec?.successfulJobsHistoryLimit), ...beyond('Failed', spec?.failedJobsHistoryLimit)];
}

/** Jobs that never started come last. */
function byStart(a: Readonly<Job>, b: Readonly<Job>): number {
  const start = ({ status }: Readonly<Job>): number =>
    status?.startTime === undefined ? Number.MAX_VALUE : Date.parse(status.startTime);
  return start(a) - start(b) || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1);
}
