import { templateWarnings } from '../core-pods/pod-warnings.ts';
import type { JobSpec } from './job-fields.ts';
import { isIndexed } from './job-spec.ts';

const manyCompletions = 100_000;
const muchAtOnce = 10_000;

/** `path` of the spec, in a job or in the template of a cron job. */
export function jobSpecWarnings(path: string, spec: JobSpec): string[] {
  const warnings = templateWarnings(`${path}.template`, spec.template);
  const { completions = 0, parallelism = 0 } = spec;
  if (!isIndexed(spec) || completions <= manyCompletions || parallelism <= muchAtOnce) return warnings;
  const when = 'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4';
  const effect = 'Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [`${path}: ${when}, ${effect}`, ...warnings];
}
