import {
  forbidden,
  invalid,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  notSupported,
  required,
  tooLong,
  validateDomainPrefixedPath,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { bumpGenerationOnSpec, startGeneration } from '../prepare-update.ts';
import { invalids } from '../field-checks.ts';
import { validateObjectReference, type ObjectReference } from './ingress-fields.ts';

interface IngressClassSpec {
  readonly controller?: string;
  readonly parameters?: Parameters;
}

interface Parameters extends ObjectReference {
  scope?: string;
  readonly namespace?: string;
}

const maxControllerLength = 250;
const scopes = ['Cluster', 'Namespace'];

export const ingressClassKind: KindBehavior = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'IngressClass',
  nameRule: nameIsDnsSubdomain,
  setDefaults(object) {
    const { parameters } = specOf(object);
    if (parameters !== undefined) parameters.scope ??= 'Cluster';
  },
  prepareForCreate: startGeneration,
  prepareForUpdate: bumpGenerationOnSpec,
  validate: (object) => validateSpec(specOf(object)),
  validateUpdate(object, old) {
    const now = specOf(object);
    const errors = validateSpec(now);
    if (now.controller === specOf(old).controller) return errors;
    return [invalid('spec.controller', now.controller ?? '', 'field is immutable'), ...errors];
  },
  columns: {
    definitions: [
      nameColumn,
      column('Controller', 'string', 'Controller that serves ingresses of this class.'),
      column('Parameters', 'string', 'Object with further settings of the controller.'),
      ageColumn,
    ],
    cells(object, now) {
      const { controller = '', parameters } = specOf(object);
      const isDefault = object.metadata.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true';
      const { name = '' } = object.metadata;
      return [isDefault ? `${name} (default)` : name, controller, parametersText(parameters), age(object, now)];
    },
  },
};

function specOf(object: KubeObject): IngressClassSpec {
  return (object as KubeObject & { spec?: IngressClassSpec }).spec ?? {};
}

function validateSpec({ controller = '', parameters }: IngressClassSpec): FieldError[] {
  return [
    ...(controller.length > maxControllerLength ? [tooLong('spec.controller', maxControllerLength)] : []),
    ...validateDomainPrefixedPath('spec.controller', controller),
    ...(parameters === undefined ? [] : validateParameters(parameters, 'spec.parameters')),
  ];
}

function validateParameters(parameters: Parameters, field: string): FieldError[] {
  return [...validateObjectReference(parameters, field), ...validateScope(parameters, field)];
}

function validateScope({ scope, namespace }: Parameters, field: string): FieldError[] {
  if (scope === undefined) return [required(`${field}.scope`)];
  if (scope === 'Cluster') {
    return namespace === undefined ? [] : [forbidden(`${field}.namespace`, "`parameters.scope` is set to 'Cluster'")];
  }
  if (scope !== 'Namespace') return [notSupported(`${field}.scope`, scope, scopes)];
  if (namespace === undefined) return [required(`${field}.namespace`, "`parameters.scope` is set to 'Namespace'")];
  return invalids(`${field}.namespace`, namespace, nameIsDnsLabel(namespace, false));
}

function parametersText(parameters: Parameters | undefined): string {
  if (parameters === undefined) return '<none>';
  const { apiGroup, kind, name } = parameters;
  return typeof apiGroup === 'string' ? `${kind}.${apiGroup}/${name}` : `${kind}/${name}`;
}
