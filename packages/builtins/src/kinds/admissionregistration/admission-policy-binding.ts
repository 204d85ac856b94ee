/** A binding activates a policy. Bindings of validating policies also say what happens to refused requests. */
import {
  compareBytes,
  duplicate,
  forbidden,
  invalid,
  nameIsDnsSubdomain,
  notSupported,
  pathSegmentProblems,
  pushAll,
  required,
  validateLabelSelector,
  type FieldError,
  type KubeObject,
  type LabelSelectorObject,
} from '@flotilla/kube';
import { age, ageColumn, column, nameColumn } from '../../columns.ts';
import type { KindBehavior } from '../../kind.ts';
import { invalids, repeatsIn } from '../field-checks.ts';
import { bumpGenerationOnSpec, startGeneration } from '../prepare-update.ts';
import {
  setMatchDefaults,
  validateMatchResources,
  validateMutableOperations,
  type MatchResources,
} from './match-resources.ts';
import { staticNameWarnings } from './admission-rule.ts';

interface BindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
  readonly validationActions?: readonly string[];
}

interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelectorObject;
  readonly parameterNotFoundAction?: string;
}

const actions = ['Audit', 'Deny', 'Warn'];
const notFoundActions = ['Deny', 'Allow'];

export const validatingAdmissionPolicyBindingKind = bindingKind('ValidatingAdmissionPolicyBinding', validateActions);
export const mutatingAdmissionPolicyBindingKind = bindingKind('MutatingAdmissionPolicyBinding', (spec) =>
  validateMutableOperations(spec.matchResources, 'spec.matchResources'),
);

function bindingKind(kind: string, validateOwn: (spec: BindingSpec) => FieldError[]): KindBehavior {
  const validate = (object: KubeObject) => [...validateBinding(specOf(object)), ...validateOwn(specOf(object))];
  return {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    kind,
    allowsShortFinalizers: true,
    nameRule: nameIsDnsSubdomain,
    requiresResourceVersion: true,
    setDefaults: (object) => setMatchDefaults(specOf(object).matchResources),
    prepareForCreate: startGeneration,
    prepareForUpdate: bumpGenerationOnSpec,
    validate,
    validateUpdate: validate,
    warnings: staticNameWarnings,
    columns: {
      definitions: [
        nameColumn,
        column('PolicyName', 'string', 'The policy that the binding activates.'),
        column('ParamRef', 'string', 'The parameters of the policy.'),
        ageColumn,
      ],
      cells(object, now) {
        const { policyName = '', paramRef } = specOf(object);
        return [object.metadata.name ?? '', policyName, paramRefText(paramRef), age(object, now)];
      },
    },
  };
}

function specOf(object: KubeObject): BindingSpec {
  return (object as KubeObject & { readonly spec?: BindingSpec }).spec ?? {};
}

function validateBinding({ policyName = '', paramRef, matchResources }: BindingSpec): FieldError[] {
  const field = 'spec.policyName';
  return [
    ...(policyName === '' ? [required(field)] : invalids(field, policyName, nameIsDnsSubdomain(policyName, false))),
    ...(paramRef === undefined ? [] : validateParamRef(paramRef, 'spec.paramRef')),
    ...validateMatchResources(matchResources, 'spec.matchResources'),
  ];
}

function validateParamRef({ name = '', selector, parameterNotFoundAction = '' }: ParamRef, path: string): FieldError[] {
  const exclusive = 'name and selector are mutually exclusive';
  const hasBoth = name !== '' && selector !== undefined;
  const errors = name === '' ? [] : invalids(`${path}.name`, name, pathSegmentProblems(name));
  if (hasBoth) errors.push(forbidden(`${path}.name`, exclusive));
  pushAll(errors, validateLabelSelector(selector, `${path}.selector`));
  if (hasBoth) errors.push(forbidden(`${path}.selector`, exclusive));
  if (name === '' && selector === undefined) errors.push(required(path, 'one of name or selector must be specified'));
  return [...errors, ...validateNotFoundAction(parameterNotFoundAction, `${path}.parameterNotFoundAction`)];
}

function validateNotFoundAction(action: string, path: string): FieldError[] {
  if (action === '') return [required(path)];
  return notFoundActions.includes(action) ? [] : [notSupported(path, action, notFoundActions)];
}

function validateActions({ validationActions: given = [] }: BindingSpec): FieldError[] {
  const path = 'spec.validationActions';
  if (given.length === 0) return [required(path, 'at least one validation action is required')];
  const repeats = repeatsIn(given);
  const errors = given.flatMap((action, index) => {
    const field = `${path}[${index}]`;
    const unknown = actions.includes(action) ? [] : [notSupported(field, action, actions)];
    return repeats.has(index) ? [...unknown, duplicate(field, action)] : unknown;
  });
  if (!given.includes('Deny') || !given.includes('Warn')) return errors;
  const why = 'repeating the same validation failure information in the API response and headers serves no purpose';
  return [...errors, invalid(path, [...given], `must not contain both Deny and Warn (${why})`)];
}

/** The column of a binding's parameters: `namespace/name`, or the selector as Go prints the struct. */
function paramRefText(ref: ParamRef | undefined): string {
  if (ref?.name) return `${ref.namespace || '*'}/${ref.name}`;
  return ref?.selector === undefined ? '<unset>' : selectorInGo(ref.selector);
}

function selectorInGo({ matchLabels = {}, matchExpressions = [] }: LabelSelectorObject): string {
  const keys = Object.keys(matchLabels).sort(compareBytes);
  const labels = keys.map((key) => `${key}: ${matchLabels[key]},`).join('');
  const requirements = matchExpressions.map(({ key, operator, values = [] }) => {
    return `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`;
  });
  const expressions = `[]LabelSelectorRequirement{${requirements.join('')}}`;
  return `&LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:${expressions},}`;
}
