import {
  duplicate,
  invalid,
  nameIsDnsSubdomain,
  notSupported,
  qualifiedNameProblems,
  required,
  type FieldError,
  type JsonValue,
  type KubeObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { deprecatedNodeLabels, invalids, repeatsIn } from '../field-checks.ts';
import { sameFields } from '../same-fields.ts';
import { validateParameters, validateProvisioner, type Parameters } from './driver-name.ts';

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
      column('Provisioner', 'string', 'The provisioner of the volumes.'),
      column('ReclaimPolicy', 'string', 'What happens to a volume after its claim is deleted.'),
      column('VolumeBindingMode', 'string', 'When volumes are provisioned and bound.'),
      column('AllowVolumeExpansion', 'string', 'Whether volumes may be expanded.'),
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

/** Where volumes of a class may be provisioned. */
interface TopologyTerm {
  readonly matchLabelExpressions?: readonly TopologyRequirement[];
}

interface TopologyRequirement {
  readonly key?: string;
  readonly values?: readonly string[] | null;
}

/** Kubernetes reports duplicate terms once for each pair. This limits the number of errors. */
const maxPairs = 10_000;

function validateTopologies(terms: readonly TopologyTerm[], path: string): FieldError[] {
  // Kubernetes compares each term with the earlier ones, and with as many empty ones as there are terms.
  const seen = new Map([[canonicalTerm({}), terms.length]]);
  let pairs = 0;
  return terms.flatMap((term, index) => {
    const field = `${path}[${index}].matchLabelExpressions`;
    const meaning = canonicalTerm(term);
    const count = seen.get(meaning) ?? 0;
    seen.set(meaning, count + 1);
    const reported = Math.min(count, maxPairs - pairs);
    pairs += reported;
    return [...validateTerm(term, field), ...Array.from({ length: reported }, () => duplicate(field, ''))];
  });
}

/** Equal for terms that select the same nodes, whatever their order. */
function canonicalTerm({ matchLabelExpressions = [] }: TopologyTerm): string {
  const byKey = new Map(matchLabelExpressions.map(({ key = '', values }) => [key, [...new Set(values)].sort()]));
  return JSON.stringify([...byKey].sort(([left], [right]) => (left < right ? -1 : 1)));
}

function validateTerm({ matchLabelExpressions = [] }: TopologyTerm, path: string): FieldError[] {
  const keys = matchLabelExpressions.map(({ key = '' }) => key);
  const repeats = repeatsIn(keys);
  return matchLabelExpressions.flatMap((requirement, index) => {
    const field = `${path}[${index}]`;
    const errors = validateRequirement(requirement, field);
    const key = keys[index] ?? '';
    return repeats.has(index) ? [...errors, duplicate(`${field}.key`, key)] : errors;
  });
}

function validateRequirement({ key = '', ...requirement }: TopologyRequirement, path: string): FieldError[] {
  const values = requirement.values ?? [];
  const repeats = repeatsIn(values);
  const errors = values.flatMap((value, index) =>
    repeats.has(index) ? [duplicate(`${path}.values[${index}]`, value)] : [],
  );
  if (values.length === 0) errors.push(required(`${path}.values`));
  return [...errors, ...invalids(`${path}.key`, key, qualifiedNameProblems(key))];
}
