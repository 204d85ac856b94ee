import {
  invalid,
  nameIsDnsSubdomain,
  notSupported,
  pushAll,
  required,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { column } from '../../columns.ts';
import type { ExpressionChecker, KindBehavior } from '../../kind.ts';
import { bumpGenerationOnSpec, startGeneration } from '../prepare-update.ts';
import {
  policyColumns,
  setPolicyDefaults,
  validateConditions,
  validateMatching,
  validateVariables,
  type AdmissionPolicySpec,
} from './admission-policy.ts';
import { validateMutableOperations } from './match-resources.ts';
import { staticNameWarnings } from './admission-rule.ts';
import { expressionChecker, expressionErrors, type ExpressionContext } from './expression-errors.ts';

interface MutatingPolicySpec extends AdmissionPolicySpec {
  readonly mutations?: readonly Mutation[];
  readonly reinvocationPolicy?: string;
}

interface Mutation {
  readonly patchType?: string;
  readonly applyConfiguration?: { readonly expression?: string };
  readonly jsonPatch?: { readonly expression?: string };
}

const reinvocationPolicies = ['IfNeeded', 'Never'];

/** For each type of patch, the member that it requires and the one that it forbids. */
const patchTypes = {
  ApplyConfiguration: ['applyConfiguration', 'jsonPatch'],
  JSONPatch: ['jsonPatch', 'applyConfiguration'],
} as const;

export const mutatingAdmissionPolicyKind: KindBehavior = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingAdmissionPolicy',
  allowsShortFinalizers: true,
  nameRule: nameIsDnsSubdomain,
  requiresResourceVersion: true,
  setDefaults: (object) => setPolicyDefaults(specOf(object)),
  prepareForCreate: startGeneration,
  prepareForUpdate: bumpGenerationOnSpec,
  validate: (object, context) => validatePolicy(specOf(object), context),
  validateUpdate: (object, old, context) => validatePolicy(specOf(object), context, specOf(old)),
  warnings: staticNameWarnings,
  columns: policyColumns(
    column('Mutations', 'integer', 'How many changes the policy makes.'),
    specOf,
    ({ mutations = [] }) => mutations.length,
  ),
};

/** Decoding has set the spec, if only to Go's zero value. */
function specOf(object: KubeObject): MutatingPolicySpec {
  const policy = object as KubeObject & { spec?: MutatingPolicySpec };
  policy.spec ??= {};
  return policy.spec;
}

function validatePolicy(
  spec: MutatingPolicySpec,
  context: ExpressionContext,
  before?: MutatingPolicySpec,
): FieldError[] {
  const checker = expressionChecker(context, { hasParams: spec.paramKind !== undefined, hasVariables: true });
  return [
    ...validateMatching(spec),
    ...validateMutableOperations(spec.matchConstraints, 'spec.matchConstraints'),
    ...validateConditions(spec, checker, before),
    ...validateVariables(spec, checker),
    ...validateMutations(spec.mutations ?? [], checker),
    ...validateReinvocation(spec),
  ];
}

function validateMutations(mutations: readonly Mutation[], checker: ExpressionChecker): FieldError[] {
  if (mutations.length === 0) return [required('spec.mutations', 'mutations must contain at least one item')];
  return mutations.flatMap((mutation, index) => validateMutation(mutation, checker, `spec.mutations[${index}]`));
}

function validateMutation(mutation: Mutation, checker: ExpressionChecker, path: string): FieldError[] {
  const { patchType = '' } = mutation;
  if (patchType === '') return [required(`${path}.patchType`)];
  if (patchType !== 'ApplyConfiguration' && patchType !== 'JSONPatch') {
    return [notSupported(`${path}.patchType`, patchType, Object.keys(patchTypes))];
  }
  const [own, other] = patchTypes[patchType];
  const patch = mutation[own];
  const errors: FieldError[] = [];
  if (patch === undefined) errors.push(required(`${path}.${own}`, `must be specified when patchType is ${patchType}`));
  else pushAll(errors, validatePatch(own, patch.expression ?? '', checker, `${path}.${own}.expression`));
  if (mutation[other] === undefined) return errors;
  return [...errors, invalid(`${path}.${other}`, `{${other}}`, `must not be specified when patchType is ${patchType}`)];
}

function validatePatch(
  use: 'applyConfiguration' | 'jsonPatch',
  expression: string,
  checker: ExpressionChecker,
  path: string,
): FieldError[] {
  const text = expression.trim();
  return text === '' ? [required(path)] : expressionErrors(checker, use, path, text);
}

function validateReinvocation({ reinvocationPolicy = '' }: MutatingPolicySpec): FieldError[] {
  if (reinvocationPolicy === '') return [required('spec.reinvocationPolicy')];
  if (reinvocationPolicies.includes(reinvocationPolicy)) return [];
  return [notSupported('spec.reinvocationPolicy', reinvocationPolicy, reinvocationPolicies)];
}
