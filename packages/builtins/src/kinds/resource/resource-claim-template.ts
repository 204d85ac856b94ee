import {
  invalid,
  nameIsDnsSubdomain,
  validateAnnotations,
  validateLabels,
  type FieldError,
  type JsonObject,
  type KubeObject,
  type ObjectMeta,
} from '@flotilla/kube';
import { age, ageColumn, nameColumn } from '../../columns.ts';
import type { KindBehavior, WriteContext } from '../../kind.ts';
import { sameFields } from '../same-fields.ts';
import { claimSpecInGo } from './claim-spec-in-go.ts';
import { setClaimDefaults, dropEmptyRequests, type ResourceClaimSpec } from './device-claim-fields.ts';
import { validateClaimSpec } from './device-claim-validation.ts';

interface TemplateSpec {
  readonly metadata?: ObjectMeta;
  readonly spec?: ResourceClaimSpec;
}

export const resourceClaimTemplateKind: KindBehavior = {
  group: 'resource.k8s.io',
  version: 'v1',
  kind: 'ResourceClaimTemplate',
  nameRule: nameIsDnsSubdomain,
  returnsDeletedObject: true,
  setDefaults: (object) => setClaimDefaults(templateOf(object).spec ?? {}),
  prepareForCreate: (object) => dropEmptyRequests(templateOf(object).spec ?? {}),
  prepareForUpdate(object, old) {
    if (sameFields(templateOf(object), templateOf(old))) dropEmptyRequests(templateOf(object).spec ?? {});
  },
  validate: validateTemplate,
  validateUpdate: validateSameTemplate,
  columns: {
    definitions: [nameColumn, ageColumn],
    cells: (object, now) => [object.metadata.name ?? '', age(object, now)],
  },
};

function templateOf(object: KubeObject): TemplateSpec {
  return (object as KubeObject & { readonly spec?: TemplateSpec }).spec ?? {};
}

function validateTemplate(object: KubeObject, context: WriteContext): FieldError[] {
  const { metadata, spec = {} } = templateOf(object);
  return [
    ...validateAnnotations(metadata?.annotations, 'spec.metadata.annotations'),
    ...validateLabels(metadata?.labels, 'spec.metadata.labels'),
    ...validateClaimSpec(spec, 'spec.spec', context),
  ];
}

function validateSameTemplate(object: KubeObject, old: KubeObject): FieldError[] {
  const template = templateOf(object);
  if (sameFields(template, templateOf(old))) return [];
  const printed: JsonObject = { ...template.metadata, Spec: claimSpecInGo(template.spec ?? {}) };
  return [invalid('spec', printed, 'field is immutable')];
}
