import {
  dns1123LabelProblems,
  forbidden,
  invalid,
  notSupported,
  parseQuantity,
  pathSegmentProblems,
  pushAll,
  required,
  type FieldError,
} from '@flotilla/kube';
import { checkContainerResourceName } from '../core-pods/pod-validation/resource-names.ts';
import { invalids } from '../field-checks.ts';
import type { AutoscalerSpec, MetricIdentifier, MetricSpec, MetricTarget, ScaleTarget } from './autoscaler-fields.ts';

const targetTypes = ['Utilization', 'Value', 'AverageValue'];

const fieldOfType: ReadonlyMap<string, SourceName> = new Map([
  ['ContainerResource', 'containerResource'],
  ['External', 'external'],
  ['Object', 'object'],
  ['Pods', 'pods'],
  ['Resource', 'resource'],
]);
const metricTypes = [...fieldOfType.keys()];

/** In Kubernetes' order: only the first one that is set is validated. */
const sourceNames = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;
type SourceName = (typeof sourceNames)[number];

export function validateMetrics(
  { metrics = [], minReplicas }: AutoscalerSpec,
  old: AutoscalerSpec | undefined,
): FieldError[] {
  const leniency = objectLeniency(old);
  const errors = metrics.flatMap((metric, index) => validateMetric(metric, `spec.metrics[${index}]`, leniency));
  const seesNoPods = metrics.some(({ type }) => type === 'Object' || type === 'External');
  if (minReplicas === 0 && !seesNoPods) {
    const detail = 'must specify at least one Object or External metric to support scaling to zero replicas';
    errors.push(forbidden('spec.metrics', detail));
  }
  return errors;
}

/** If the old target had an invalid version, any version is accepted. */
function objectLeniency(old: AutoscalerSpec | undefined): ReferenceLeniency {
  const leniency = { emptyGroup: true };
  const anyVersion = (old?.metrics ?? []).some(
    ({ type, object }) =>
      type === 'Object' && apiVersionProblem(object?.describedObject.apiVersion ?? '', leniency) !== undefined,
  );
  return { ...leniency, anyVersion };
}

function validateMetric(metric: MetricSpec, field: string, leniency: ReferenceLeniency): FieldError[] {
  const { type } = metric;
  const expected = fieldOfType.get(type);
  const present = sourceNames.filter((name) => metric[name] !== undefined);
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(`${field}.type`, 'must specify a metric source type'));
  if (expected === undefined) errors.push(notSupported(`${field}.type`, type, metricTypes));
  if (present[0] !== undefined) pushAll(errors, validateSource(metric, present[0], `${field}.${present[0]}`, leniency));
  if (expected === undefined) errors.push(notSupported(`${field}.type`, type, metricTypes));
  else if (metric[expected] === undefined) {
    errors.push(required(`${field}.${expected}`, 'must populate information for the given metric source'));
  }
  if (present.length === 1) return errors;
  const others = present.filter((name) => name !== expected);
  return [
    ...errors,
    ...others.map((name) => forbidden(`${field}.${name}`, 'must populate the given metric source only')),
  ];
}

function validateSource(
  { object, external, pods, resource, containerResource }: MetricSpec,
  name: SourceName,
  field: string,
  leniency: ReferenceLeniency,
): FieldError[] {
  switch (name) {
    case 'object':
      return object === undefined
        ? []
        : [
            ...validateReference(object.describedObject, `${field}.describedObject`, leniency),
            ...validateIdentified(object, field),
            ...requireValue(object.target, field, 'must set either a target value or averageValue'),
          ];
    case 'external':
      return external === undefined ? [] : validateExternal(external, field);
    case 'pods':
      return pods === undefined ? [] : validatePods(pods, field);
    case 'resource':
      return resource === undefined ? [] : validateResource(resource, field);
    case 'containerResource':
      return containerResource === undefined ? [] : validateContainerResource(containerResource, field);
  }
}

function validateIdentified(source: { metric: MetricIdentifier; target: MetricTarget }, field: string): FieldError[] {
  const { name } = source.metric;
  return [
    ...(name === ''
      ? [required(`${field}.metric.name`, 'must specify a metric name')]
      : invalids(`${field}.metric.name`, name, pathSegmentProblems(name))),
    ...validateTarget(source.target, `${field}.target`),
  ];
}

function requireValue({ value, averageValue }: MetricTarget, field: string, detail: string): FieldError[] {
  const isSet = value !== undefined || averageValue !== undefined;
  return isSet ? [] : [required(`${field}.target.averageValue`, detail)];
}

function validateExternal(external: NonNullable<MetricSpec['external']>, field: string): FieldError[] {
  const { value, averageValue } = external.target;
  const errors = [
    ...validateIdentified(external, field),
    ...requireValue(external.target, field, 'must set either a target value for metric or a per-pod target'),
  ];
  if (value === undefined || averageValue === undefined) return errors;
  const detail = 'may not set both a target value for metric and a per-pod target';
  return [...errors, forbidden(`${field}.target.value`, detail)];
}

function validatePods(pods: NonNullable<MetricSpec['pods']>, field: string): FieldError[] {
  const errors = validateIdentified(pods, field);
  if (pods.target.averageValue !== undefined) return errors;
  return [...errors, required(`${field}.target.averageValue`, 'must specify a positive target averageValue')];
}

function validateResource({ name, target }: NonNullable<MetricSpec['resource']>, field: string): FieldError[] {
  return [
    ...(name === '' ? [required(`${field}.name`, 'must specify a resource name')] : []),
    ...validateUtilization(target, field),
  ];
}

function validateContainerResource(
  { name, container, target }: NonNullable<MetricSpec['containerResource']>,
  field: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(`${field}.name`, 'must specify a resource name'));
  else checkContainerResourceName(errors, `${field}.name`, name);
  if (container === '') errors.push(required(`${field}.container`, 'must specify a container'));
  else pushAll(errors, invalids(`${field}.container`, container, dns1123LabelProblems(container)));
  return [...errors, ...validateUtilization(target, field)];
}

function validateUtilization(target: MetricTarget, field: string): FieldError[] {
  const { averageUtilization, averageValue } = target;
  const errors = validateTarget(target, `${field}.target`);
  if (averageUtilization === undefined && averageValue === undefined) {
    const detail = 'must set either a target raw value or a target utilization';
    errors.push(required(`${field}.target.averageUtilization`, detail));
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    const detail = 'may not set both a target raw value and a target utilization';
    errors.push(forbidden(`${field}.target.averageValue`, detail));
  }
  return errors;
}

function validateTarget(target: MetricTarget, field: string): FieldError[] {
  const { type, averageUtilization } = target;
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(`${field}.type`, 'must specify a metric target type'));
  if (!targetTypes.includes(type)) {
    errors.push(invalid(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  }
  for (const name of ['value', 'averageValue'] as const) {
    const amount = target[name];
    if (amount !== undefined && parseQuantity(amount).sign <= 0) {
      errors.push(invalid(`${field}.${name}`, amount, 'must be positive'));
    }
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    errors.push(invalid(`${field}.averageUtilization`, averageUtilization, 'must be greater than 0'));
  }
  return errors;
}

export interface ReferenceLeniency {
  readonly anyVersion?: boolean;
  readonly emptyGroup?: boolean;
}

export function validateReference(
  { kind, name, apiVersion = '' }: ScaleTarget,
  field: string,
  leniency: ReferenceLeniency,
): FieldError[] {
  const segment = (value: string, path: string) =>
    value === '' ? [required(path)] : invalids(path, value, pathSegmentProblems(value));
  const fault = leniency.anyVersion ? undefined : apiVersionProblem(apiVersion, leniency);
  return [
    ...segment(kind, `${field}.kind`),
    ...segment(name, `${field}.name`),
    ...(fault === undefined ? [] : [invalid(`${field}.apiVersion`, apiVersion, fault)]),
  ];
}

function apiVersionProblem(apiVersion: string, { emptyGroup = false }: ReferenceLeniency): string | undefined {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const group = parts.length === 2 ? parts[0] : '';
  return group === '' && !emptyGroup ? 'apiVersion must specify API group' : undefined;
}
