import { invalid, nameIsDnsSubdomain, notSupported, required, type FieldError, type KubeObject } from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { invalids } from '../field-checks.ts';
import { conditionsOf, flowPreparation, flowStatus, validateFlowConditions } from './flow-status.ts';
import { validateFlowRules, type FlowRule } from './flow-rule.ts';
import { validateMandatoryFlowSchema } from './mandatory-flow-schemas.ts';

export interface FlowSchemaSpec {
  readonly priorityLevelConfiguration?: { readonly name?: string };
  matchingPrecedence?: number;
  readonly distinguisherMethod?: { readonly type?: string };
  readonly rules?: readonly FlowRule[];
}

const defaultPrecedence = 1000;
const lowestPrecedence = 10_000;
const distinguisherMethods = ['ByNamespace', 'ByUser'];

export const flowSchemaKind: KindBehavior = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  kind: 'FlowSchema',
  nameRule: nameIsDnsSubdomain,
  ...flowPreparation,
  setDefaults(object) {
    specOf(object).matchingPrecedence ||= defaultPrecedence;
  },
  validate: validateFlowSchema,
  validateUpdate: validateFlowSchema,
  subresources: { status: flowStatus },
  columns: {
    definitions: [
      nameColumn,
      column('PriorityLevel', 'string', 'The priority level of matching requests.'),
      column('MatchingPrecedence', 'string', 'Lower numbers are tried first.'),
      column('DistinguisherMethod', 'string', 'How requests are divided into flows.'),
      ageColumn,
      column('MissingPL', 'string', 'Whether the priority level is missing.'),
    ],
    cells(object, now) {
      const { priorityLevelConfiguration, matchingPrecedence = 0, distinguisherMethod } = specOf(object);
      const dangling = conditionsOf(object).find(({ type }) => type === 'Dangling');
      return [
        object.metadata.name ?? '',
        priorityLevelConfiguration?.name ?? '',
        matchingPrecedence,
        distinguisherMethod === undefined ? '<none>' : (distinguisherMethod.type ?? ''),
        age(object, now),
        dangling?.status ?? '?',
      ];
    },
  },
};

/** Decoding has set the spec, if only to Go's zero value. */
function specOf(object: KubeObject): FlowSchemaSpec {
  const schema = object as KubeObject & { spec?: FlowSchemaSpec };
  schema.spec ??= {};
  return schema.spec;
}

function validateFlowSchema(object: KubeObject): FieldError[] {
  const name = object.metadata.name ?? '';
  const spec = specOf(object);
  return [
    ...validatePrecedence(spec, name),
    ...validateMethod(spec),
    ...validateLevel(spec),
    ...validateFlowRules(spec.rules ?? [], 'spec.rules'),
    ...validateMandatoryFlowSchema(name, spec),
    ...validateFlowConditions(conditionsOf(object)),
  ];
}

function validatePrecedence({ matchingPrecedence = 0 }: FlowSchemaSpec, name: string): FieldError[] {
  const refused = (detail: string) => [invalid('spec.matchingPrecedence', matchingPrecedence, detail)];
  if (matchingPrecedence <= 0) return refused('must be a positive value');
  if (matchingPrecedence > lowestPrecedence) return refused(`must not be greater than ${lowestPrecedence}`);
  if (matchingPrecedence > 1 || name === 'exempt') return [];
  return refused("only the schema named 'exempt' may have matchingPrecedence 1");
}

function validateMethod({ distinguisherMethod }: FlowSchemaSpec): FieldError[] {
  if (distinguisherMethod === undefined) return [];
  const { type = '' } = distinguisherMethod;
  if (distinguisherMethods.includes(type)) return [];
  return [notSupported('spec.distinguisherMethod.type', { Type: type }, distinguisherMethods)];
}

function validateLevel({ priorityLevelConfiguration: { name = '' } = {} }: FlowSchemaSpec): FieldError[] {
  const field = 'spec.priorityLevelConfiguration.name';
  if (name === '') return [required(field, 'must reference a priority level')];
  return invalids(field, name, nameIsDnsSubdomain(name, false));
}
