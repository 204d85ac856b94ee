import {
  invalid,
  nameIsDnsSubdomain,
  parseQuantity,
  validateLabelSelector,
  type FieldError,
  type KubeObject,
  type LabelSelectorObject,
} from '@flotilla/kube';
import type { KindBehavior } from '../../kind.ts';
import { deprecatedNodeLabels, invalids } from '../field-checks.ts';
import { sameFields } from '../same-fields.ts';

interface CapacityFields {
  readonly nodeTopology?: LabelSelectorObject;
  readonly storageClassName?: string;
  readonly capacity?: string;
}

export const csiStorageCapacityKind: KindBehavior = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'CSIStorageCapacity',
  nameRule: nameIsDnsSubdomain,
  requiresResourceVersion: true,
  validate: validateCapacity,
  validateUpdate: (object, old) => [...validateCapacity(object), ...validateImmutable(object, old)],
  warnings: (object) => topologyWarnings(fieldsOf(object).nodeTopology ?? {}),
};

function fieldsOf(object: KubeObject): CapacityFields {
  return object as KubeObject & CapacityFields;
}

function validateCapacity(object: KubeObject): FieldError[] {
  const { nodeTopology, storageClassName = '', capacity } = fieldsOf(object);
  return [
    ...validateLabelSelector(nodeTopology, 'nodeTopology'),
    ...invalids('storageClassName', storageClassName, nameIsDnsSubdomain(storageClassName, false)),
    ...(capacity === undefined ? [] : validateQuantity(capacity)),
  ];
}

function validateQuantity(capacity: string): FieldError[] {
  if (parseQuantity(capacity).sign >= 0) return [];
  return [invalid('capacity', capacity, 'must be greater than or equal to 0')];
}

function validateImmutable(object: KubeObject, old: KubeObject): FieldError[] {
  const { nodeTopology, storageClassName = '' } = fieldsOf(object);
  const before = fieldsOf(old);
  const errors: FieldError[] = [];
  if (!sameFields(nodeTopology, before.nodeTopology)) {
    errors.push(invalid('nodeTopology', nodeTopology, 'field is immutable'));
  }
  if (storageClassName !== before.storageClassName) {
    errors.push(invalid('storageClassName', storageClassName, 'field is immutable'));
  }
  return errors;
}

function topologyWarnings({ matchExpressions = [], matchLabels = {} }: LabelSelectorObject): string[] {
  const aboutExpressions = matchExpressions.flatMap(({ key }, index) => {
    const advice = deprecatedNodeLabels.get(key);
    return advice === undefined ? [] : [`nodeTopology.matchExpressions[${index}].key: ${key} is ${advice}`];
  });
  const aboutLabels = Object.keys(matchLabels).flatMap((label) => {
    const advice = deprecatedNodeLabels.get(label);
    return advice === undefined ? [] : [`nodeTopology.matchLabels.${label}: ${advice}`];
  });
  return [...aboutExpressions, ...aboutLabels];
}
