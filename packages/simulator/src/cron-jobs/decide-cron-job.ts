import {
  CronScheduleError,
  formatTime,
  parseCronSchedule,
  quote,
  timeZoneProblem,
  type ApiError,
  type CronSchedule,
} from '@flotilla/kube';
import { nothingToDo, type Plan, type PlannedEvent, type Write } from '@flotilla/runtime';
import { finalCondition } from '../jobs/job-condition.ts';
import { kinds, type CronJob, type CronJobStatus, type Job } from '../kinds.ts';
import { isControlledBy } from '../ownership/controller-of.ts';
import { InvalidScheduleError, missedTimes, untilNextTime, type MissedTimes } from './schedule-times.ts';
import { jobsBeyondHistory } from './history.ts';
import { jobName, referenceTo, scheduledJob } from './scheduled-job.ts';

export interface CronJobState {
  readonly cronJob: Readonly<CronJob>;
  /** Whether its schedule has just changed. The times that the new one had before do not count then. */
  readonly isRescheduled: boolean;
  /** The Jobs that it controls. */
  readonly jobs: readonly Readonly<Job>[];
  /** Any Job of its namespace. */
  readonly jobNamed: (name: string) => Readonly<Job> | undefined;
}

/** What a reconcile does, in the order in which it is decided. */
interface Work {
  readonly deletions: Write[];
  readonly events: PlannedEvent[];
  status: CronJobStatus;
}

/** Deletes old Jobs, notes which are active, and starts the Job of the latest time that has come. */
export function decideCronJob(state: CronJobState, now: Date): Plan {
  const { cronJob, jobs } = state;
  const work: Work = { deletions: [], events: [], status: { ...cronJob.status } };
  for (const job of jobsBeyondHistory(cronJob, jobs)) removeJob(work, state, job);
  noteJobs(work, state);
  const start = cronJob.metadata.deletionTimestamp === undefined ? decideStart(work, state, now) : undefined;
  const { creations = [], requeueAfterMs } = start ?? {};
  reportUnexpected(work, state);
  return {
    steps: [work.deletions, creations, statusWrites(cronJob, work.status)],
    events: work.events,
    ...(requeueAfterMs !== undefined && requeueAfterMs < Infinity && { requeueAfterMs }),
    refused: (error) => afterRefusal(cronJob, error),
  };
}

function statusWrites(cronJob: Readonly<CronJob>, { active = [], ...times }: CronJobStatus): Write[] {
  const status = { ...(active.length > 0 && { active }), ...times };
  return [{ verb: 'update', kind: kinds.cronJob, object: { ...cronJob, status }, subresource: 'status' }];
}

function removeJob(work: Work, { cronJob }: CronJobState, { metadata }: Readonly<Job>): void {
  const { namespace, name = '', uid = '' } = metadata;
  const event = eventOf(cronJob, 'SuccessfulDelete', `Deleted job ${name}`);
  const key = { namespace, name };
  work.deletions.push({ verb: 'delete', kind: kinds.job, key, uid, propagationPolicy: 'Background', event });
  forget(work, uid);
}

function forget(work: Work, uid: string): void {
  work.status = { ...work.status, active: (work.status.active ?? []).filter((reference) => reference.uid !== uid) };
}

/** Takes finished and missing Jobs off the list of active ones. */
function noteJobs(work: Work, { cronJob, jobs, jobNamed }: CronJobState): void {
  const isListed = (uid: string): boolean => work.status.active?.some((reference) => reference.uid === uid) === true;
  for (const job of jobs) {
    const { name = '', uid = '' } = job.metadata;
    const end = finalCondition(job);
    if (end === undefined) continue;
    if (isListed(uid)) {
      forget(work, uid);
      work.events.push(eventOf(cronJob, 'SawCompletedJob', `Saw completed job: ${name}, condition: ${end.type}`));
    }
    const { completionTime } = job.status ?? {};
    if (end.type !== 'Complete' || completionTime === undefined) continue;
    const { lastSuccessfulTime } = work.status;
    if (lastSuccessfulTime === undefined || Date.parse(completionTime) > Date.parse(lastSuccessfulTime)) {
      work.status = { ...work.status, lastSuccessfulTime: completionTime };
    }
  }
  const children = new Set(jobs.map(({ metadata }) => metadata.uid));
  for (const { name = '', uid = '' } of work.status.active ?? []) {
    if (children.has(uid) || jobNamed(name) !== undefined) continue;
    forget(work, uid);
    work.events.push(eventOf(cronJob, 'MissingJob', `Active job went missing: ${name}`));
  }
}

/** Jobs that a user made of its template run beside those of the schedule. */
function reportUnexpected(work: Work, { cronJob, jobs }: CronJobState): void {
  const listed = new Set([cronJob.status, work.status].flatMap((status) => status?.active ?? []).map(({ uid }) => uid));
  for (const job of jobs) {
    const { name = '', uid } = job.metadata;
    if (listed.has(uid) || finalCondition(job) !== undefined) continue;
    const message = `Saw a job that the controller did not create or forgot: ${name}`;
    work.events.push(eventOf(cronJob, 'UnexpectedJob', message, 'Warning'));
  }
}

interface Start {
  readonly creations?: Write[];
  readonly requeueAfterMs?: number;
}

function decideStart(work: Work, state: CronJobState, now: Date): Start {
  const { cronJob } = state;
  const { schedule: text = '', timeZone, suspend = false } = cronJob.spec ?? {};
  const warn = (reason: string, message: string): Start => {
    work.events.push(eventOf(cronJob, reason, message, 'Warning'));
    return {};
  };
  const zoneProblem = timeZone === undefined ? undefined : timeZoneProblem(timeZone);
  if (zoneProblem !== undefined)
    return warn('UnknownTimeZone', `invalid timeZone: ${quote(timeZone ?? '')}: ${zoneProblem}`);
  if (suspend) return {};
  if (text.includes('TZ')) warn('UnsupportedSchedule', unsupportedZone(text));
  try {
    const schedule = parseCronSchedule(timeZone === undefined || text.includes('TZ') ? text : `TZ=${timeZone} ${text}`);
    if (state.isRescheduled) return { requeueAfterMs: untilNextTime(cronJob, schedule, now.getTime()) };
    const times = missedTimes(cronJob, schedule, now.getTime(), true);
    return startAt(work, state, schedule, times, now);
  } catch (error) {
    if (error instanceof CronScheduleError) {
      return warn('UnparseableSchedule', `unparseable schedule: ${quote(text)} : ${error.message}`);
    }
    if (error instanceof InvalidScheduleError)
      return warn('InvalidSchedule', `invalid schedule: ${text} : ${error.message}`);
    throw error;
  }
}

function unsupportedZone(text: string): string {
  const page = 'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/';
  return `CRON_TZ or TZ used in schedule ${quote(text)} is not officially supported, see ${page} for more details`;
}

function startAt(
  work: Work,
  state: CronJobState,
  schedule: CronSchedule,
  { latest, missed }: MissedTimes,
  now: Date,
): Start {
  const { cronJob, jobNamed } = state;
  const { concurrencyPolicy } = cronJob.spec ?? {};
  const later: Start = { requeueAfterMs: untilNextTime(cronJob, schedule, now.getTime()) };
  if (latest === undefined) return later;
  if (missed === 'many') {
    const message = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
    work.events.push(eventOf(cronJob, 'TooManyMissedTimes', message, 'Warning'));
  }
  if (isTooLate(cronJob, latest, now)) {
    const message = `Missed scheduled time to start a job: ${rfc1123(latest)}`;
    work.events.push(eventOf(cronJob, 'MissSchedule', message, 'Warning'));
    return later;
  }
  const { active = [], lastScheduleTime } = work.status;
  const name = jobName(cronJob, latest);
  const isStarted = lastScheduleTime !== undefined && Date.parse(lastScheduleTime) === latest;
  if (isStarted || active.some((reference) => reference.name === name)) return later;

  const started = jobNamed(name);
  if (started !== undefined) {
    if (!isControlledBy(started, cronJob)) return {};
    work.status = {
      ...work.status,
      active: [...active, referenceTo(started)],
      lastScheduleTime: formatTime(new Date(latest)),
    };
    return { requeueAfterMs: untilNextTime({ ...cronJob, status: work.status }, schedule, now.getTime()) };
  }
  if (concurrencyPolicy === 'Forbid' && active.length > 0) {
    const message = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    work.events.push(eventOf(cronJob, 'JobAlreadyActive', message));
    return later;
  }
  if (concurrencyPolicy === 'Replace') {
    for (const reference of active) {
      const job = jobNamed(reference.name ?? '');
      if (job !== undefined) removeJob(work, state, job);
    }
  }
  // The status needs the uid of the Job: the next reconcile, which sees the Job, writes it.
  return { creations: [creation(cronJob, scheduledJob(cronJob, latest))], ...later };
}

function isTooLate({ spec }: Readonly<CronJob>, scheduled: number, now: Date): boolean {
  const deadline = spec?.startingDeadlineSeconds as number | bigint | undefined;
  return deadline !== undefined && scheduled + Number(deadline) * 1000 < now.getTime();
}

function creation(cronJob: Readonly<CronJob>, job: Job): Write {
  const event = eventOf(cronJob, 'SuccessfulCreate', `Created job ${job.metadata.name}`);
  return { verb: 'create', kind: kinds.job, object: job, event };
}

/** `Mon, 16 Nov 2026 00:00:00 +0000`. */
function rfc1123(moment: number): string {
  return new Date(moment).toUTCString().replace('GMT', '+0000');
}

function afterRefusal(cronJob: Readonly<CronJob>, error: ApiError): Pick<Plan, 'steps' | 'events'> {
  const { details } = error.status;
  const isInTerminatingNamespace = details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
  if (details?.kind !== 'jobs' || isInTerminatingNamespace) return nothingToDo;
  return { steps: [], events: [eventOf(cronJob, 'FailedCreate', `Error creating job: ${error.message}`, 'Warning')] };
}

function eventOf(
  about: Readonly<CronJob>,
  reason: string,
  message: string,
  type: PlannedEvent['type'] = 'Normal',
): PlannedEvent {
  return { about, type, reason, message };
}
