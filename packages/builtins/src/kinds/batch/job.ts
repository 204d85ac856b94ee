import {
  dns1123LabelProblems,
  humanDuration,
  invalid,
  labelSelectorFrom,
  nameIsDnsSubdomain,
  pushAll,
  quote,
  required,
  validateLabelSelector,
  type FieldError,
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
  wideColumn,
  wideContainersColumn,
  wideImagesColumn,
} from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { podNameWarnings } from '../apps/replicas.ts';
import { dropGatedTemplateFields } from '../core-pods/gated-fields.ts';
import { internalSelector } from '../core-pods/internal/internal-form.ts';
import { checkSelected } from '../core-pods/pod-validation/pod.ts';
import { bumpGenerationIf, carryOver, startGeneration } from '../prepare-update.ts';
import { semanticEqual } from '../semantic-equal.ts';
import { putAllSorted, putSorted } from '../sorted-map.ts';
import { isTrue, type JobFields, type JobSpec } from './job-fields.ts';
import { checkJobSpec, jobSpecWarnings, setJobTemplateDefaults } from './job-spec.ts';
import { validateJobStatus } from './job-status.ts';
import { checkJobChange } from './job-update.ts';

export const jobKind: KindBehavior = {
  group: 'batch',
  version: 'v1',
  kind: 'Job',
  setDefaults,
  prepareForCreate(object) {
    const job = object as JobFields;
    generateSelector(job);
    job.status = {};
    startGeneration(object);
    dropGatedTemplateFields(job.spec.template);
    unshareLabels(job);
  },
  prepareForUpdate(object, old) {
    carryOver('status', object, old);
    unshareLabels(object as JobFields);
    dropGatedTemplateFields((object as JobFields).spec.template);
    bumpGenerationIf(!semanticEqual(object['spec'], old['spec']), object, old);
  },
  validate(object) {
    const errors: FieldError[] = [];
    checkJob(errors, object as JobFields);
    return errors;
  },
  validateUpdate(object, old) {
    const errors: FieldError[] = [];
    const job = object as JobFields;
    checkJob(errors, job);
    // Kubernetes validates the spec again on update, and reports everything twice.
    checkSpec(errors, job.spec);
    checkJobChange(errors, job, old as JobFields);
    return errors;
  },
  // After validation, the labels that the server added to the pods are no longer the job's.
  canonicalize(object) {
    defaultLabels(object as JobFields);
    unshareLabels(object as JobFields);
  },
  warnings(object, old) {
    const { spec } = object as JobFields;
    if (old === undefined) return [...podNameWarnings(object), ...jobSpecWarnings('spec', spec)];
    return object.metadata.generation === old.metadata.generation ? [] : jobSpecWarnings('spec', spec);
  },
  nameRule: nameIsDnsSubdomain,
  subresources: {
    status: {
      prepareForUpdate: (object, old) => carryOver('spec', object, old),
      validateUpdate: (object, old) => validateJobStatus(object as JobFields, old as JobFields),
      resetFields: [['spec']],
    },
  },
  defaultPropagation: 'Orphan',
  missingPropagationWarning:
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  fieldLabels: ['status.successful'],
  unsupportedLabel: (label) => `field label ${quote(label)} not supported for Job`,
  selectableFields: (object) => ({ 'status.successful': String((object as JobFields).status.succeeded ?? 0) }),
  columns: {
    definitions: [
      nameColumn,
      column('Status', 'string', 'Whether the job is running, suspended or finished.'),
      column('Completions', 'string', 'Succeeded and required pods.'),
      column('Duration', 'string', 'How long the job took, or has taken so far.'),
      ageColumn,
      wideContainersColumn,
      wideImagesColumn,
      wideColumn('Selector', 'string', 'Which pods belong to the job.'),
    ],
    cells(object, now) {
      const job = object as JobFields;
      const containers = job.spec.template.spec.containers ?? undefined;
      return [
        job.metadata.name ?? '',
        stateOf(job),
        completionsOf(job),
        durationOf(job, now),
        age(object, now),
        containerNames(containers),
        containerImages(containers),
        selectorCell(job.spec.selector),
      ];
    },
  },
  resetFields: [['status']],
};

const maxFailures = 2 ** 31 - 1;

function setDefaults(object: KubeObject): void {
  const job = object as JobFields;
  const spec = (job.spec ??= {} as JobSpec);
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : maxFailures;
  defaultLabels(job);
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
  spec.manualSelector ??= false;
  setJobTemplateDefaults(spec);
}

/**
 * A job without labels gets those of its pods. It is the same map: labels that the server adds to the pods are the
 * job's too.
 */
function defaultLabels({ metadata, spec }: JobFields): void {
  const labels = spec.template?.metadata?.labels;
  if (labels !== undefined && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = labels;
}

function unshareLabels({ metadata, spec }: JobFields): void {
  if (metadata.labels !== undefined && metadata.labels === spec.template.metadata?.labels) {
    metadata.labels = { ...metadata.labels };
  }
}

function checkJob(errors: FieldError[], job: JobFields): void {
  const { metadata, spec } = job;
  checkGeneratedSelector(errors, job);
  checkSpec(errors, spec);
  const { completions = 0, completionMode } = spec;
  if (completionMode !== 'Indexed' || completions <= 0) return;
  const name = metadata.name ?? '';
  const last = `${name}-${completions - 1}`;
  if (dns1123LabelProblems(last).length > 0) {
    const detail = `will not able to create pod with invalid DNS label: ${last}`;
    errors.push(invalid('metadata.name', name, detail));
  }
}

function checkSpec(errors: FieldError[], spec: JobSpec): void {
  const { selector, template } = spec;
  checkJobSpec(errors, 'spec', spec);
  if (selector === undefined) errors.push(required('spec.selector'));
  pushAll(errors, validateLabelSelector(selector, 'spec.selector'));
  if (selector === undefined || validateLabelSelector(selector, '').length === 0)
    checkSelected(errors, 'spec.template', template, labelSelectorFrom(selector));
}

function stateOf({ metadata, status }: JobFields): string {
  if (isTrue(status, 'Complete')) return 'Complete';
  if (isTrue(status, 'Failed')) return 'Failed';
  if (metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) => isTrue(status, type)) ?? 'Running';
}

function completionsOf({ spec, status }: JobFields): string {
  const { completions, parallelism = 0 } = spec;
  const { succeeded = 0 } = status;
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationOf({ status: { startTime, completionTime } }: JobFields, now: Date): string {
  if (startTime === undefined) return '';
  const end = completionTime === undefined ? now.getTime() : Date.parse(completionTime);
  return humanDuration(end - Date.parse(startTime));
}

/**
 * The labels by which a job selects its pods. Unless the user chooses them, the server generates and validates them.
 */
const uidLabel = 'batch.kubernetes.io/controller-uid';

function generatedLabels({ metadata }: JobFields): Readonly<Record<string, string>> {
  const uid = metadata.uid ?? '';
  const name = metadata.name ?? '';
  return { 'controller-uid': uid, 'job-name': name, [uidLabel]: uid, 'batch.kubernetes.io/job-name': name };
}

/** Keeps labels that the user has set; validation refuses wrong ones. */
function generateSelector(job: JobFields): void {
  if (job.spec.manualSelector === true) return;
  const { template } = job.spec;
  const labels = ((template.metadata ??= {}).labels ??= {});
  putAllSorted(
    labels,
    Object.entries(generatedLabels(job)).filter(([key]) => !Object.hasOwn(labels, key)),
  );
  const matchLabels = ((job.spec.selector ??= {}).matchLabels ??= {});
  if (!Object.hasOwn(matchLabels, uidLabel)) putSorted(matchLabels, uidLabel, job.metadata.uid ?? '');
}

function checkGeneratedSelector(errors: FieldError[], job: JobFields): void {
  const { manualSelector, selector, template } = job.spec;
  if (manualSelector === true || selector === undefined) return;
  const expected = generatedLabels(job);
  const labels = template.metadata?.labels ?? {};
  for (const [key, value] of Object.entries(expected)) {
    const field = `spec.template.metadata.labels[${key}]`;
    if (!Object.hasOwn(labels, key)) errors.push(required(field, `must be '${value}'`));
    else if (labels[key] !== value) errors.push(invalid(field, labels, `must be '${value}'`));
  }
  if (validateLabelSelector(selector, '').length === 0 && !labelSelectorFrom(selector).matches(expected)) {
    errors.push(invalid('spec.selector', internalSelector(selector), '`selector` not auto-generated'));
  }
}
