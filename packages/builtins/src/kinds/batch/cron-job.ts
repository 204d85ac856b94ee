import {
  cronScheduleProblem,
  invalid,
  nameIsDnsSubdomain,
  notSupported,
  required,
  timeZoneProblem,
  type FieldError,
  type JsonObject,
  type KubeObject,
} from '@flotilla/kube';
import {
  age,
  ageColumn,
  column,
  containerImages,
  containerNames,
  nameColumn,
  selectorCell,
  timeSince,
  wideColumn,
  wideContainersColumn,
  wideImagesColumn,
} from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { podNameWarnings } from '../apps/replicas.ts';
import { bumpGenerationIf, carryOver, startGeneration } from '../prepare-update.ts';
import { dropGatedTemplateFields } from '../core-pods/gated-fields.ts';
import { internalSelector } from '../core-pods/internal/internal-form.ts';
import type { Int64 } from '../core-pods/pod-fields.ts';
import { checkNotNegative, checkRequiredChoice } from '../core-pods/pod-validation/checks.ts';
import { semanticEqual } from '../semantic-equal.ts';
import type { JobSpec } from './job-fields.ts';
import { checkJobSpec, jobSpecWarnings, setJobTemplateDefaults } from './job-spec.ts';

interface CronJobFields extends KubeObject {
  spec: CronJobSpec;
  status?: { active?: JsonObject[]; lastScheduleTime?: string };
}

interface CronJobSpec extends JsonObject {
  schedule: string;
  timeZone?: string;
  startingDeadlineSeconds?: Int64;
  concurrencyPolicy?: string;
  suspend?: boolean;
  jobTemplate: { spec: JobSpec };
  successfulJobsHistoryLimit?: number;
  failedJobsHistoryLimit?: number;
}

/** The name of a job is that of its cron job plus eleven characters. */
const maxNameLength = 52;

export const cronJobKind: KindBehavior = {
  group: 'batch',
  version: 'v1',
  kind: 'CronJob',
  setDefaults,
  prepareForCreate(object) {
    object['status'] = {};
    startGeneration(object);
    dropGatedTemplateFields((object as CronJobFields).spec.jobTemplate.spec.template);
  },
  prepareForUpdate(object, old) {
    carryOver('status', object, old);
    dropGatedTemplateFields((object as CronJobFields).spec.jobTemplate.spec.template);
    bumpGenerationIf(!semanticEqual(object['spec'], old['spec']), object, old);
  },
  validate(object) {
    const errors: FieldError[] = [];
    checkSpec(errors, (object as CronJobFields).spec, undefined);
    const { name = '' } = object.metadata;
    if (name.length > maxNameLength) {
      errors.push(invalid('metadata.name', name, `must be no more than ${maxNameLength} characters`));
    }
    return errors;
  },
  validateUpdate(object, old) {
    const errors: FieldError[] = [];
    checkSpec(errors, (object as CronJobFields).spec, (old as CronJobFields).spec);
    return errors;
  },
  warnings(object, old) {
    const { jobTemplate, schedule } = (object as CronJobFields).spec;
    const ofTemplate = (): string[] => jobSpecWarnings('spec.jobTemplate.spec', jobTemplate.spec);
    if (old === undefined) return [...podNameWarnings(object), ...ofTemplate()];
    const warnings = object.metadata.generation === old.metadata.generation ? [] : ofTemplate();
    if (!schedule.includes('TZ')) return warnings;
    const more = 'see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details';
    return [...warnings, `cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, ${more}`];
  },
  nameRule: nameIsDnsSubdomain,
  subresources: {
    status: {
      prepareForUpdate: (object, old) => carryOver('spec', object, old),
      resetFields: [['spec']],
    },
  },
  columns: {
    definitions: [
      nameColumn,
      column('Schedule', 'string', 'When jobs are created.'),
      column('Timezone', 'string', 'The time zone of the schedule.'),
      column('Suspend', 'boolean', 'Whether the creation of jobs is suspended.'),
      column('Active', 'integer', 'How many jobs are running.'),
      column('Last Schedule', 'string', 'Time since the last job was created.'),
      ageColumn,
      wideContainersColumn,
      wideImagesColumn,
      wideColumn('Selector', 'string', 'Which pods belong to the jobs.'),
    ],
    cells(object, now) {
      const { metadata, spec, status = {} } = object as CronJobFields;
      const { template, selector } = spec.jobTemplate.spec;
      const containers = template.spec.containers ?? undefined;
      return [
        metadata.name ?? '',
        spec.schedule,
        spec.timeZone ?? '<none>',
        spec.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False',
        status.active?.length ?? 0,
        status.lastScheduleTime === undefined ? '<none>' : timeSince(status.lastScheduleTime, now),
        age(object, now),
        containerNames(containers),
        containerImages(containers),
        selectorCell(selector),
      ];
    },
  },
  resetFields: [['status']],
};

function setDefaults(object: KubeObject): void {
  const spec = ((object as CronJobFields).spec ??= {} as CronJobSpec);
  spec.concurrencyPolicy ||= 'Allow';
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
  const jobTemplate = (spec.jobTemplate ??= {} as CronJobSpec['jobTemplate']);
  setJobTemplateDefaults((jobTemplate.spec ??= {} as JobSpec));
}

function checkSpec(errors: FieldError[], spec: CronJobSpec, old: CronJobSpec | undefined): void {
  if (!spec.schedule) errors.push(required('spec.schedule'));
  else checkSchedule(errors, 'spec.schedule', spec, old);
  checkNotNegative(errors, 'spec.startingDeadlineSeconds', spec.startingDeadlineSeconds);
  if (spec.timeZone !== undefined && spec.timeZone !== old?.timeZone) {
    checkTimeZone(errors, 'spec.timeZone', spec.timeZone);
  }
  checkRequiredChoice(errors, 'spec.concurrencyPolicy', spec.concurrencyPolicy, ['Allow', 'Forbid', 'Replace']);
  checkTemplate(errors, 'spec.jobTemplate.spec', spec.jobTemplate.spec);
  checkNotNegative(errors, 'spec.successfulJobsHistoryLimit', spec.successfulJobsHistoryLimit);
  checkNotNegative(errors, 'spec.failedJobsHistoryLimit', spec.failedJobsHistoryLimit);
}

function checkSchedule(
  errors: FieldError[],
  path: string,
  { schedule, timeZone }: CronJobSpec,
  old: CronJobSpec | undefined,
): void {
  const problem = cronScheduleProblem(schedule);
  if (problem !== undefined) errors.push(invalid(path, schedule, problem));
  if (!schedule.includes('TZ')) return;
  // Schedules had time zones before the field existed; old ones stay valid.
  if (old?.schedule.includes('TZ') !== true) {
    errors.push(invalid(path, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'));
  } else if (timeZone !== undefined) {
    errors.push(invalid(path, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule'));
  }
}

const zonePart = /^[A-Za-z.\-_0-9+]{1,14}$/;

function checkTimeZone(errors: FieldError[], path: string, zone: string): void {
  if (zone === '') return void errors.push(invalid(path, zone, 'timeZone must be nil or non-empty string'));
  const isWellFormed = zone
    .split('/')
    .every((part) => part !== '.' && part !== '..' && !part.startsWith('-') && zonePart.test(part));
  if (!isWellFormed) return void errors.push(invalid(path, zone, `unknown time zone ${zone}`));
  if (zone.toLowerCase() === 'local') {
    const detail = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    errors.push(invalid(path, zone, detail));
  }
  const problem = timeZoneProblem(zone);
  if (problem !== undefined) errors.push(invalid(path, zone, problem));
}

function checkTemplate(errors: FieldError[], path: string, spec: JobSpec): void {
  checkJobSpec(errors, path, spec);
  if (spec.selector !== undefined) {
    const detail = '`selector` will be auto-generated';
    errors.push(invalid(`${path}.selector`, internalSelector(spec.selector), detail));
  }
  if (spec.manualSelector === true) errors.push(notSupported(`${path}.manualSelector`, true, ['nil', 'false']));
}
