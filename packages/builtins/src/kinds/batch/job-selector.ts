/** The labels by which a job knows its pods. Unless the user chooses them, the server makes them, and checks its work. */
import { invalid, labelSelectorFrom, required, validateLabelSelector, type FieldError } from '@flotilla/kube';
import { internalSelector } from '../core-pods/internal/internal-form.ts';
import { putAllSorted, putSorted } from '../sorted-map.ts';
import type { JobFields } from './job-fields.ts';

const uidLabel = 'batch.kubernetes.io/controller-uid';

function generatedLabels({ metadata }: JobFields): Readonly<Record<string, string>> {
  const uid = metadata.uid ?? '';
  const name = metadata.name ?? '';
  return { 'controller-uid': uid, 'job-name': name, [uidLabel]: uid, 'batch.kubernetes.io/job-name': name };
}

/** Labels that the user has set stay, for validation to refuse if they are wrong. */
export function generateSelector(job: JobFields): void {
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

export function checkGeneratedSelector(errors: FieldError[], job: JobFields): void {
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
