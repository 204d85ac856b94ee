import {
  byteLength,
  duplicate,
  invalid,
  nameIsDnsSubdomain,
  notSupported,
  pushAll,
  qualifiedNameProblems,
  required,
  type FieldError,
  type KubeObject,
} from '@flotilla/kube';
import { column } from '../../columns.ts';
import type { ExpressionChecker, KindBehavior } from '../../kind.ts';
import { bumpGenerationOnSpec, carryOver, keepMetadata, startGeneration } from '../prepare-update.ts';
import { invalids, repeatsIn } from '../field-checks.ts';
import {
  policyColumns,
  setPolicyDefaults,
  validateConditions,
  validateMatching,
  validateVariables,
  type AdmissionPolicySpec,
} from './admission-policy.ts';
import { staticNameWarnings } from './admission-rule.ts';
import { expressionChecker, expressionErrors, type ExpressionContext } from './expression-errors.ts';

interface ValidatingPolicySpec extends AdmissionPolicySpec {
  readonly validations?: readonly Validation[];
  readonly auditAnnotations?: readonly AuditAnnotation[];
}

interface Validation {
  readonly expression?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
}

interface AuditAnnotation {
  readonly key?: string;
  readonly valueExpression?: string;
}

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const maxAnnotations = 20;
const maxValueExpressionBytes = 5 * 1024;

export const validatingAdmissionPolicyKind: KindBehavior = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicy',
  allowsShortFinalizers: true,
  nameRule: nameIsDnsSubdomain,
  requiresResourceVersion: true,
  setDefaults: (object) => setPolicyDefaults(specOf(object)),
  prepareForCreate(object) {
    object['status'] = {};
    startGeneration(object);
  },
  prepareForUpdate(object, old) {
    carryOver('status', object, old);
    bumpGenerationOnSpec(object, old);
  },
  validate: (object, context) => validatePolicy(object, context),
  validateUpdate: (object, old, context) => validatePolicy(object, context, specOf(old)),
  warnings: staticNameWarnings,
  subresources: {
    status: {
      prepareForUpdate(object, old) {
        carryOver('spec', object, old);
        keepMetadata(object, old);
      },
      resetFields: [['spec'], ['metadata']],
    },
  },
  columns: policyColumns(
    column('Validations', 'integer', 'How many rules the policy has.'),
    specOf,
    ({ validations = [] }) => validations.length,
  ),
  resetFields: [['status']],
};

/** Decoding has set the spec, if only to Go's zero value. */
function specOf(object: KubeObject): ValidatingPolicySpec {
  const policy = object as KubeObject & { spec?: ValidatingPolicySpec };
  policy.spec ??= {};
  return policy.spec;
}

function validatePolicy(object: KubeObject, context: ExpressionContext, before?: ValidatingPolicySpec): FieldError[] {
  const spec = specOf(object);
  const hasVariables = (spec.variables ?? []).length > 0;
  const checker = expressionChecker(context, { hasParams: spec.paramKind !== undefined, hasVariables });
  return [
    ...validateMatching(spec),
    ...validateConditions(spec, checker, before),
    ...validateVariables(spec, checker),
    ...validateOutcomes(spec, checker, object.metadata.name ?? ''),
  ];
}

function validateOutcomes(
  { validations = [], auditAnnotations = [] }: ValidatingPolicySpec,
  checker: ExpressionChecker,
  name: string,
): FieldError[] {
  if (validations.length + auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    return [required('spec.validations', detail), required('spec.auditAnnotations', detail)];
  }
  return [
    ...validations.flatMap((validation, index) =>
      validateValidation(validation, checker, `spec.validations[${index}]`),
    ),
    ...validateAnnotations(auditAnnotations, checker, name),
  ];
}

function validateValidation(validation: Validation, checker: ExpressionChecker, path: string): FieldError[] {
  const { expression = '', message = '', messageExpression = '', reason } = validation;
  const errors: FieldError[] = [];
  const field = `${path}.expression`;
  if (expression.trim() === '') errors.push(required(field, 'expression is not specified'));
  else pushAll(errors, expressionErrors(checker, 'validation', field, expression));
  const messageField = `${path}.messageExpression`;
  if (isBlank(messageExpression)) {
    errors.push(invalid(messageField, messageExpression, 'must be non-empty if specified'));
  } else if (messageExpression !== '') {
    pushAll(errors, expressionErrors(checker, 'messageExpression', messageField, messageExpression));
  }
  if (isBlank(message)) errors.push(invalid(`${path}.message`, message, 'must be non-empty if specified'));
  else if (/[\n\r]/.test(message.trim())) {
    errors.push(invalid(`${path}.message`, message, 'must not contain line breaks'));
  }
  if (reason !== undefined && !reasons.includes(reason)) errors.push(notSupported(`${path}.reason`, reason, reasons));
  return errors;
}

function isBlank(text: string): boolean {
  return text !== '' && text.trim() === '';
}

function validateAnnotations(
  annotations: readonly AuditAnnotation[],
  checker: ExpressionChecker,
  name: string,
): FieldError[] {
  const keys = annotations.map(({ key = '' }) => key);
  const errors: FieldError[] = [];
  if (annotations.length > maxAnnotations) {
    const printed = annotations.map(({ key = '', valueExpression = '' }) => ({
      Key: key,
      ValueExpression: valueExpression,
    }));
    errors.push(
      invalid('spec.auditAnnotations', printed, `must not have more than ${maxAnnotations} auditAnnotations`),
    );
  }
  const repeats = repeatsIn(keys);
  annotations.forEach(({ valueExpression = '' }, index) => {
    const path = `spec.auditAnnotations[${index}]`;
    const key = keys[index] ?? '';
    pushAll(errors, validateKey(key, name, `${path}.key`));
    pushAll(errors, validateValue(valueExpression, checker, `${path}.valueExpression`));
    if (repeats.has(index)) errors.push(duplicate(`${path}.key`, key));
  });
  return errors;
}

/** In the audit log, the policy's name precedes the key. */
function validateKey(key: string, name: string, path: string): FieldError[] {
  if (name === '') return [invalid(path, key, 'requires metadata.name be non-empty')];
  return invalids(path, `${name}/${key}`, qualifiedNameProblems(`${name}/${key}`));
}

function validateValue(expression: string, checker: ExpressionChecker, path: string): FieldError[] {
  const text = expression.trim();
  if (text === '') return [required(path, 'valueExpression is not specified')];
  if (byteLength(text) <= maxValueExpressionBytes) {
    return expressionErrors(checker, 'auditAnnotation', path, text, expression);
  }
  return [required(path, `must not exceed ${maxValueExpressionBytes} bytes in length`)];
}
