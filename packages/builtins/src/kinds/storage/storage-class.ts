import {
  invalid,
  nameIsDnsSubdomain,
  notSupported,
  type FieldError,
  type JsonValue,
  type KubeObject,
} from '@flotilla/kube';
import { age } from '../../columns/age.ts';
import { ageColumn, column, nameColumn } from '../../columns/column-definition.ts';
import type { KindBehavior } from '../../kind.ts';
import { deprecatedNodeLabels } from '../deprecated-node-labels.ts';
import { sameFields } from '../same-fields.ts';
import { validateTopologies, type TopologyTerm } from './allowed-topologies.ts';
import { validateParameters, validateProvisioner, type Parameters } from './provisioner.ts';

interface StorageClassFields {
  readonly provisioner?: string;
  readonly parameters?: Parameters;
  reclaimPolicy?: string;
  volumeBindingMode?: string;
  readonly allowVolumeExpansion?: boolean;
  readonly allowedTopologies?: readonly TopologyTerm[];
}

const reclaimPolicies = ['Delete', 'Retain'];
const bindingModes = ['Immediate', 'WaitForFirstConsumer'];
const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

export const storageClassKind: KindBehavior = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'StorageClass',
  nameRule: nameIsDnsSubdomain,
  returnsDeletedObject: true,
  setDefaults(object) {
    const storageClass = fieldsOf(object);
    storageClass.reclaimPolicy ??= 'Delete';
    storageClass.volumeBindingMode ??= 'Immediate';
  },
  validate: validateStorageClass,
  validateUpdate: (object, old) => [...validateStorageClass(object), ...validateImmutable(object, old)],
  warnings: topologyWarnings,
  columns: {
    definitions: [
      nameColumn,
      column('Provisioner', 'string', 'Who makes the volumes.'),
      column('ReclaimPolicy', 'string', 'What happens to a volume when its claim goes.'),
      column('VolumeBindingMode', 'string', 'When volumes are made and bound.'),
      column('AllowVolumeExpansion', 'string', 'Whether volumes may grow.'),
      ageColumn,
    ],
    cells(object, now) {
      const { provisioner = '', reclaimPolicy = '', volumeBindingMode = '', ...rest } = fieldsOf(object);
      const { name = '', annotations = {} } = object.metadata;
      const isDefault = defaultAnnotations.some((annotation) => annotations[annotation] === 'true');
      return [
        isDefault ? `${name} (default)` : name,
        provisioner,
        reclaimPolicy,
        volumeBindingMode,
        rest.allowVolumeExpansion ?? false,
        age(object, now),
      ];
    },
  },
};

function fieldsOf(object: KubeObject): StorageClassFields {
  return object as KubeObject & StorageClassFields;
}

function validateStorageClass(object: KubeObject): FieldError[] {
  const { provisioner = '', parameters = {}, reclaimPolicy = '', volumeBindingMode = '', ...rest } = fieldsOf(object);
  const errors = [...validateProvisioner(provisioner, 'provisioner'), ...validateParameters(parameters, 'parameters')];
  if (reclaimPolicy !== '' && !reclaimPolicies.includes(reclaimPolicy)) {
    errors.push(notSupported('reclaimPolicy', reclaimPolicy, reclaimPolicies));
  }
  if (!bindingModes.includes(volumeBindingMode)) {
    errors.push(notSupported('volumeBindingMode', volumeBindingMode, bindingModes));
  }
  return [...errors, ...validateTopologies(rest.allowedTopologies ?? [], 'allowedTopologies')];
}

function validateImmutable(object: KubeObject, old: KubeObject): FieldError[] {
  const fields = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const;
  const changed = fields.filter((field) => !sameFields(fieldsOf(object)[field], fieldsOf(old)[field]));
  return changed.map((field) => invalid(field, (fieldsOf(object)[field] ?? null) as JsonValue, 'field is immutable'));
}

function topologyWarnings(object: KubeObject): string[] {
  return (fieldsOf(object).allowedTopologies ?? []).flatMap(({ matchLabelExpressions = [] }, term) =>
    matchLabelExpressions.flatMap(({ key = '' }, index) => {
      const advice = deprecatedNodeLabels.get(key);
      const field = `allowedTopologies[${term}].matchLabelExpressions[${index}].key`;
      return advice === undefined ? [] : [`${field}: ${advice}`];
    }),
  );
}
