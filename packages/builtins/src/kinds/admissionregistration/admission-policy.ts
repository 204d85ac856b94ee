/** What validating and mutating policies share: matching, parameters, variables and columns. */
import {
  dns1035LabelProblems,
  dns1123SubdomainProblems,
  invalid,
  notSupported,
  pushAll,
  required,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { ColumnDefinition, Columns, ExpressionChecker } from '../../kind.ts';
import { sameFields } from '../same-fields.ts';
import { faultErrors } from './expression-errors.ts';
import {
  setMatchDefaults,
  validateMatchConditions,
  validateMatchResources,
  type MatchCondition,
  type MatchResources,
} from './match-resources.ts';

export interface AdmissionPolicySpec {
  failurePolicy?: string;
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResources;
  readonly matchConditions?: readonly MatchCondition[];
  readonly variables?: readonly Variable[];
}

interface ParamKind {
  readonly apiVersion?: string;
  readonly kind?: string;
}

interface Variable {
  readonly name?: string;
  readonly expression?: string;
}

const failurePolicies = ['Fail', 'Ignore'];
const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const reservedWords = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

export function setPolicyDefaults(spec: AdmissionPolicySpec): void {
  spec.failurePolicy ??= 'Fail';
  setMatchDefaults(spec.matchConstraints);
}

export function validateMatching(spec: AdmissionPolicySpec): FieldError[] {
  const { failurePolicy = '', paramKind, matchConstraints } = spec;
  const errors: FieldError[] = [];
  if (!failurePolicies.includes(failurePolicy)) {
    errors.push(notSupported('spec.failurePolicy', failurePolicy, failurePolicies));
  }
  if (paramKind !== undefined) pushAll(errors, validateParamKind(paramKind));
  if (matchConstraints === undefined) return [...errors, required('spec.matchConstraints')];
  pushAll(errors, validateMatchResources(matchConstraints, 'spec.matchConstraints'));
  // Without a rule there is no type to check expressions against.
  if (!matchConstraints.resourceRules?.length) errors.push(required('spec.matchConstraints.resourceRules'));
  return errors;
}

/** Skips conditions that have not changed under the same parameters. */
export function validateConditions(
  spec: AdmissionPolicySpec,
  checker: ExpressionChecker,
  before: AdmissionPolicySpec | undefined,
): FieldError[] {
  const { paramKind, matchConditions = [] } = spec;
  const isKnown =
    before !== undefined &&
    sameFields(paramKind, before.paramKind) &&
    sameFields(matchConditions, before.matchConditions);
  return isKnown ? [] : validateMatchConditions(matchConditions, checker, 'spec.matchConditions');
}

/** Declares the variables to the checker. */
export function validateVariables({ variables = [] }: AdmissionPolicySpec, checker: ExpressionChecker): FieldError[] {
  return variables.flatMap(({ name = '', expression = '' }, index) => {
    const path = `spec.variables[${index}]`;
    const errors: FieldError[] = [];
    if (name.trim() === '') errors.push(required(`${path}.name`, 'name is not specified'));
    else if (!isIdentifier(name)) errors.push(invalid(`${path}.name`, name, 'must be a valid CEL identifier'));
    const field = `${path}.expression`;
    if (expression.trim() === '') errors.push(required(field, 'expression is not specified'));
    else pushAll(errors, faultErrors(checker.addVariable(name, expression), field, expression));
    return errors;
  });
}

function isIdentifier(name: string): boolean {
  return identifier.test(name) && !reservedWords.has(name);
}

function validateParamKind({ apiVersion = '', kind = '' }: ParamKind): FieldError[] {
  const field = 'spec.paramKind.kind';
  const errors = apiVersion === '' ? [required('spec.paramKind.apiVersion')] : validateApiVersion(apiVersion);
  if (kind === '') return [...errors, required(field)];
  const problems = dns1035LabelProblems(kind.toLowerCase());
  if (problems.length === 0) return errors;
  return [...errors, invalid(field, kind, `may have mixed case, but should otherwise match: ${problems.join(',')}`)];
}

function validateApiVersion(apiVersion: string): FieldError[] {
  const field = 'spec.paramKind.apiVersion';
  const parts = apiVersion === '/' ? [''] : apiVersion.split('/');
  if (parts.length > 2) return [invalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const version = parts.pop() ?? '';
  const [group = ''] = parts;
  const groupProblems = group === '' ? [] : dns1123SubdomainProblems(group);
  const errors = groupProblems.length === 0 ? [] : [invalid(field, group, groupProblems.join(','))];
  if (version === '') return [...errors, invalid(field, apiVersion, 'version must be specified')];
  const versionProblems = dns1035LabelProblems(version);
  return versionProblems.length === 0 ? errors : [...errors, invalid(field, version, versionProblems.join(','))];
}

/** `counted`: the column that counts a policy's expressions, and how to count them. */
export function policyColumns<Spec extends AdmissionPolicySpec>(
  counted: ColumnDefinition,
  specOf: (object: KubeObject) => Spec,
  count: (spec: Spec) => number,
): Columns {
  return {
    definitions: [nameColumn, counted, column('ParamKind', 'string', 'The kind of its parameters.'), ageColumn],
    cells(object, now) {
      const spec = specOf(object);
      return [object.metadata.name ?? '', count(spec), paramKindText(spec), age(object, now)];
    },
  };
}

/** `v1/ConfigMap` */
function paramKindText({ paramKind }: AdmissionPolicySpec): string {
  return paramKind === undefined ? '<unset>' : `${paramKind.apiVersion ?? ''}/${paramKind.kind ?? ''}`;
}
