import {
  invalid,
  nameIsDnsLabel,
  namespaceFinalizer,
  qualifiedNameProblems,
  standardFinalizers,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';

interface NamespaceFields {
  spec: { finalizers?: string[] };
  status: { phase?: string };
}

const nameLabel = 'kubernetes.io/metadata.name';

export const namespaceKind: KindBehavior = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  nameRule: nameIsDnsLabel,
  returnsDeletedObject: true,
  setDefaults(object) {
    labelWithName(object);
    const namespace = namespaceOf(object);
    namespace.status.phase ||= 'Active';
  },
  prepareForCreate(object) {
    labelWithName(object);
    const namespace = namespaceOf(object);
    namespace.status = { phase: 'Active' };
    const finalizers = namespace.spec.finalizers ?? [];
    if (!finalizers.includes(namespaceFinalizer)) namespace.spec.finalizers = [...finalizers, namespaceFinalizer];
  },
  prepareForUpdate(object, old) {
    const namespace = namespaceOf(object);
    namespace.spec = namespaceOf(old).spec;
    namespace.status = namespaceOf(old).status;
  },
  validate: (object) => validateFinalizers(object, () => 'spec.finalizers'),
  validateUpdate: (object) => validateFinalizers(object, () => 'spec.finalizers'),
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        namespaceOf(object).spec = namespaceOf(old).spec;
      },
      validateUpdate: validatePhase,
      resetFields: [['spec']],
    },
    finalize: {
      prepareForUpdate(object, old) {
        namespaceOf(object).status = namespaceOf(old).status;
      },
      validateUpdate: (object) => validateFinalizers(object, (index) => `spec.finalizers[${index}]`),
      resetFields: [['status']],
    },
  },
  fieldLabels: ['status.phase'],
  selectableFields: (object) => ({ 'status.phase': phaseOf(object) }),
  columns: {
    definitions: [nameColumn, column('Status', 'string', 'Whether the namespace is active or terminating.'), ageColumn],
    cells: (object, now) => [object.metadata.name ?? '', phaseOf(object), age(object, now)],
  },
  resetFields: [['status']],
};

function phaseOf(object: KubeObject): string {
  return (object as KubeObject & Partial<NamespaceFields>).status?.phase ?? '';
}

/** Decoding has set spec and status, if only to Go's zero values. */
function namespaceOf(object: KubeObject): NamespaceFields {
  const namespace = object as KubeObject & Partial<NamespaceFields>;
  namespace.spec ??= {};
  namespace.status ??= {};
  return namespace as KubeObject & NamespaceFields;
}

/** A generated name is not known yet here; preparation sees the final name. */
function labelWithName({ metadata }: KubeObject): void {
  if (metadata.name) (metadata.labels ??= {})[nameLabel] = metadata.name;
}

function validateFinalizers(object: KubeObject, fieldOf: (index: number) => string): FieldError[] {
  const { finalizers = [] } = namespaceOf(object).spec;
  return finalizers.flatMap((finalizer, index) => {
    const field = fieldOf(index);
    const errors = qualifiedNameProblems(finalizer).map((detail) => invalid(field, finalizer, detail));
    if (!finalizer.includes('/') && !standardFinalizers.has(finalizer)) {
      errors.push(invalid(field, finalizer, 'name is neither a standard finalizer name nor is it fully qualified'));
    }
    return errors;
  });
}

function validatePhase(object: KubeObject): FieldError[] {
  const phase = phaseOf(object);
  const isGoing = object.metadata.deletionTimestamp !== undefined;
  const expected = isGoing ? 'Terminating' : 'Active';
  if (phase === expected) return [];
  const when = isGoing ? 'is not empty' : 'is empty';
  return [invalid('status.Phase', phase, `may only be '${expected}' if \`deletionTimestamp\` ${when}`)];
}
