import {
  forbidden,
  invalid,
  nameIsDnsSubdomain,
  notSupported,
  required,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { startGeneration } from '../prepare-update.ts';

interface PriorityClassFields {
  readonly value?: number;
  readonly globalDefault?: boolean;
  preemptionPolicy?: string;
}

const systemPrefix = 'system-';
const systemValues: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};
const highestUserValue = 1_000_000_000;
const preemptionPolicies = ['PreemptLowerPriority', 'Never'];

export const priorityClassKind: KindBehavior = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  nameRule: nameIsDnsSubdomain,
  setDefaults(object) {
    fieldsOf(object).preemptionPolicy ??= 'PreemptLowerPriority';
  },
  prepareForCreate: startGeneration,
  validate: (object) => [...validateValue(object), ...validatePreemption(object)],
  validateUpdate(object, old) {
    const { value = 0, preemptionPolicy = '' } = fieldsOf(object);
    const before = fieldsOf(old);
    const errors: FieldError[] = [];
    if (value !== (before.value ?? 0)) errors.push(forbidden('value', 'may not be changed in an update.'));
    if (preemptionPolicy !== before.preemptionPolicy) {
      errors.push(invalid('preemptionPolicy', preemptionPolicy, 'field is immutable'));
    }
    return errors;
  },
  deleteRefusal: (name) =>
    Object.hasOwn(systemValues, name) ? 'this is a system priority class and cannot be deleted' : undefined,
  columns: {
    definitions: [
      nameColumn,
      column('Value', 'integer', 'The priority of its pods; higher values go first.'),
      column('Global-Default', 'boolean', 'Whether pods without a class get this one.'),
      ageColumn,
      column('PreemptionPolicy', 'string', 'Whether its pods preempt others.'),
    ],
    cells(object, now) {
      const { value = 0, globalDefault = false, preemptionPolicy = '' } = fieldsOf(object);
      return [object.metadata.name ?? '', value, globalDefault, age(object, now), preemptionPolicy];
    },
  },
};

function fieldsOf(object: KubeObject): PriorityClassFields {
  return object as KubeObject & PriorityClassFields;
}

function validateValue(object: KubeObject): FieldError[] {
  const { name = '' } = object.metadata;
  const { value = 0 } = fieldsOf(object);
  if (name.startsWith(systemPrefix)) return validateSystemClass(name, object);
  if (value <= highestUserValue) return [];
  return [forbidden('value', `maximum allowed value of a user defined priority is ${highestUserValue}`)];
}

function validateSystemClass(name: string, object: KubeObject): FieldError[] {
  const problem = systemClassProblem(name, fieldsOf(object));
  if (problem === undefined) return [];
  const reserved = `priority class names with '${systemPrefix}' prefix are reserved for system use only.`;
  return [forbidden('metadata.name', `${reserved} error: ${problem}`)];
}

function systemClassProblem(
  name: string,
  { value = 0, globalDefault = false }: PriorityClassFields,
): string | undefined {
  const expected = Object.hasOwn(systemValues, name) ? systemValues[name] : undefined;
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}

function validatePreemption(object: KubeObject): FieldError[] {
  const { preemptionPolicy = '' } = fieldsOf(object);
  if (preemptionPolicies.includes(preemptionPolicy)) return [];
  if (preemptionPolicy === '') return [required('preemptionPolicy')];
  return [notSupported('preemptionPolicy', preemptionPolicy, preemptionPolicies)];
}
