/** What may change in a job: its parallelism and, before it starts, its scheduling. */
import { invalid, type FieldError, type JsonValue } from '@flotilla/kube';
import { internalForm, internalSelector } from '../core-pods/internal/internal-form.ts';
import type { ContainerFields } from '../core-pods/container-fields.ts';
import type { PodSpecFields, PodTemplateFields } from '../core-pods/pod-fields.ts';
import { semanticEqual } from '../semantic-equal.ts';
import { isTrue, type JobFields, type JobSpec } from './job-fields.ts';
import { isIndexed } from './job-spec.ts';

export function checkJobChange(errors: FieldError[], { spec }: JobFields, old: JobFields): void {
  checkCompletions(errors, spec, old.spec);
  checkSame(errors, 'selector', spec, old.spec);
  checkTemplate(errors, spec, old);
  checkSame(errors, 'completionMode', spec, old.spec);
  checkSame(errors, 'podFailurePolicy', spec, old.spec);
  checkSame(errors, 'backoffLimitPerIndex', spec, old.spec);
  checkSame(errors, 'managedBy', spec, old.spec);
  checkSame(errors, 'successPolicy', spec, old.spec);
}

const internalTypeOf: Readonly<Record<string, string>> = {
  podFailurePolicy: 'PodFailurePolicy',
  successPolicy: 'SuccessPolicy',
};

function checkSame(errors: FieldError[], field: string, spec: JobSpec, old: JobSpec): void {
  if (semanticEqual(spec[field], old[field])) return;
  errors.push(immutable(`spec.${field}`, field, spec[field]));
}

function immutable(path: string, field: string, value: JsonValue | undefined): FieldError {
  const detail = 'field is immutable';
  const type = internalTypeOf[field];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return invalid(path, value ?? null, detail);
  const fields = value as PodSpecFields;
  return invalid(path, type === undefined ? internalSelector(fields) : internalForm(type, fields), detail);
}

/** An indexed job may change its completions if parallelism changes with them. */
function checkCompletions(errors: FieldError[], spec: JobSpec, old: JobSpec): void {
  if (!isIndexed(spec)) return checkSame(errors, 'completions', spec, old);
  const { completions, parallelism } = spec;
  if (completions === undefined || completions === old.completions || completions === parallelism) return;
  errors.push(invalid('spec.completions', completions, 'can only be modified in tandem with spec.parallelism'));
}

function checkTemplate(errors: FieldError[], { template }: JobSpec, old: JobFields): void {
  const { suspend, template: oldTemplate } = old.spec;
  const { startTime, active = 0 } = old.status;
  const isIdle = suspend === true && (startTime === undefined || isTrue(old.status, 'Suspended')) && active === 0;
  if (!isIdle) {
    if (semanticEqual(template, oldTemplate)) return;
    const printed = internalForm('PodTemplateSpec', template);
    return void errors.push(invalid('spec.template', printed, 'field is immutable'));
  }
  const expected = withNewResources(withNewPlace(oldTemplate, template), template.spec);
  if (semanticEqual(template.spec, expected)) return;
  const printed = internalForm('PodSpec', template.spec);
  errors.push(invalid('spec.template.spec', printed, 'field is immutable'));
}

const placeFields = ['nodeSelector', 'tolerations', 'schedulingGates'] as const;

/** Queueing systems decide where a job runs while it is suspended. */
function withNewPlace(old: PodTemplateFields, template: PodTemplateFields): PodSpecFields {
  const spec: PodSpecFields = { ...old.spec };
  for (const field of placeFields) {
    const value = template.spec[field];
    if (value === undefined) delete spec[field];
    else Object.assign(spec, { [field]: value });
  }
  const { nodeAffinity: _old, ...others } = old.spec.affinity ?? {};
  const nodeAffinity = template.spec.affinity?.nodeAffinity;
  const affinity = nodeAffinity === undefined ? others : { ...others, nodeAffinity };
  const hasAny = Object.keys(affinity).length > 0 || template.spec.affinity !== undefined;
  if (hasAny) spec.affinity = affinity;
  else delete spec.affinity;
  return spec;
}

function withNewResources(old: PodSpecFields, spec: PodSpecFields): PodSpecFields {
  const merged: PodSpecFields = { ...old };
  if (old.containers) merged.containers = resourcesFrom(spec.containers ?? [], old.containers);
  if (old.initContainers) merged.initContainers = resourcesFrom(spec.initContainers ?? [], old.initContainers);
  return merged;
}

function resourcesFrom(containers: readonly ContainerFields[], old: readonly ContainerFields[]): ContainerFields[] {
  if (containers.length !== old.length) return [...old];
  return old.map((container, i) => {
    const { name, resources } = containers[i] ?? container;
    return name === container.name && resources !== undefined ? { ...container, resources } : container;
  });
}
