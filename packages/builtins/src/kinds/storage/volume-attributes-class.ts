import { forbidden, nameIsDnsSubdomain, required, type FieldError, type KubeObject } from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { sameFields } from '../same-fields.ts';
import { validateParameters, validateProvisioner, type Parameters } from './driver-name.ts';

interface VolumeAttributesClassFields {
  readonly driverName?: string;
  readonly parameters?: Parameters;
}

/** Keeps a class while volumes use it. Kubernetes' storage protection adds it to every class. */
const protectionFinalizer = 'kubernetes.io/vac-protection';

export const volumeAttributesClassKind: KindBehavior = {
  group: 'storage.k8s.io',
  version: 'v1',
  kind: 'VolumeAttributesClass',
  nameRule: nameIsDnsSubdomain,
  returnsDeletedObject: true,
  prepareForCreate({ metadata }) {
    const { finalizers = [] } = metadata;
    if (!finalizers.includes(protectionFinalizer)) metadata.finalizers = [...finalizers, protectionFinalizer];
  },
  validate: validateClass,
  validateUpdate: (object, old) => [...validateImmutable(object, old), ...validateClass(object)],
  columns: {
    definitions: [nameColumn, column('DriverName', 'string', 'The driver that interprets the parameters.'), ageColumn],
    cells: (object, now) => [object.metadata.name ?? '', fieldsOf(object).driverName ?? '', age(object, now)],
  },
};

function fieldsOf(object: KubeObject): VolumeAttributesClassFields {
  return object as KubeObject & VolumeAttributesClassFields;
}

function validateClass(object: KubeObject): FieldError[] {
  const { driverName = '', parameters = {} } = fieldsOf(object);
  const errors = [...validateProvisioner(driverName, 'driverName'), ...validateParameters(parameters, 'parameters')];
  if (Object.keys(parameters).length > 0) return errors;
  return [...errors, required('parameters', 'must contain at least one key/value pair')];
}

function validateImmutable(object: KubeObject, old: KubeObject): FieldError[] {
  const fields = ['driverName', 'parameters'] as const;
  const changed = fields.filter((field) => !sameFields(fieldsOf(object)[field], fieldsOf(old)[field]));
  return changed.map((field) => forbidden(field, `updates to ${field} are forbidden.`));
}
