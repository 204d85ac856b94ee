import {
  duplicate,
  invalid,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  pushAll,
  required,
  validateLabels,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import type { ResourceList, TolerationFields } from '../core-pods/pod-fields.ts';
import { checkResources } from '../core-pods/pod-validation/resources.ts';
import { checkTolerations } from '../core-pods/pod-validation/tolerations.ts';
import { deprecatedNodeLabels, invalids } from '../field-checks.ts';

interface RuntimeClassFields {
  readonly handler?: string;
  readonly overhead?: { readonly podFixed?: ResourceList };
  readonly scheduling?: Scheduling;
}

interface Scheduling {
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly tolerations?: readonly TolerationFields[];
}

export const runtimeClassKind: KindBehavior = {
  group: 'node.k8s.io',
  version: 'v1',
  kind: 'RuntimeClass',
  allowsShortFinalizers: true,
  nameRule: nameIsDnsSubdomain,
  createOnUpdate: true,
  requiresResourceVersion: true,
  validate: validateRuntimeClass,
  validateUpdate(object, old) {
    const { handler = '' } = fieldsOf(object);
    const isSame = handler === fieldsOf(old).handler;
    return [...validateRuntimeClass(object), ...(isSame ? [] : [invalid('handler', handler, 'field is immutable')])];
  },
  warnings(object) {
    const labels = Object.keys(fieldsOf(object).scheduling?.nodeSelector ?? {});
    const advice = labels.flatMap((label) => deprecatedNodeLabels.get(label) ?? []);
    return advice.map((detail) => `scheduling.nodeSelector: ${detail}`);
  },
  columns: {
    definitions: [nameColumn, column('Handler', 'string', 'The configuration of the container runtime.'), ageColumn],
    cells: (object, now) => [object.metadata.name ?? '', fieldsOf(object).handler ?? '', age(object, now)],
  },
};

function fieldsOf(object: KubeObject): RuntimeClassFields {
  return object as KubeObject & RuntimeClassFields;
}

function validateRuntimeClass(object: KubeObject): FieldError[] {
  const { handler = '', overhead, scheduling } = fieldsOf(object);
  const errors = handler === '' ? [required('handler')] : invalids('handler', handler, nameIsDnsLabel(handler, false));
  if (overhead?.podFixed !== undefined) checkResources(errors, 'overhead', { limits: overhead.podFixed });
  if (scheduling !== undefined) pushAll(errors, validateScheduling(scheduling));
  return errors;
}

function validateScheduling({ nodeSelector = {}, tolerations = [] }: Scheduling): FieldError[] {
  const errors = [...validateLabels(nodeSelector, 'scheduling.nodeSelector')];
  checkTolerations(errors, 'scheduling.tolerations', tolerations);
  return [...errors, ...validateUnique(tolerations)];
}

function validateUnique(tolerations: readonly TolerationFields[]): FieldError[] {
  const seen = new Set<string>();
  return tolerations.flatMap((toleration, index) => {
    const { key = '', operator = '', value = '', effect = '', tolerationSeconds = null } = toleration;
    const id = JSON.stringify([key, operator, value, effect]);
    const printed = {
      Key: key,
      Operator: operator,
      Value: value,
      Effect: effect,
      TolerationSeconds: tolerationSeconds,
    };
    const errors = seen.has(id) ? [duplicate(`scheduling.tolerations[${index}]`, printed)] : [];
    seen.add(id);
    return errors;
  });
}
