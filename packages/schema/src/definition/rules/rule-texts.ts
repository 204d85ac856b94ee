/** Validates `x-kubernetes-validations` without compiling the expressions. */
import { invalid, notSupported, required, type FieldError } from '@flotilla/kube';
import type { JsonSchema, ValidationRule } from '../../json-schema.ts';
import { followFieldPath } from '../../structural/field-path.ts';

const allowedReasons: readonly string[] = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

/** Follows paths only if the schema has no unsupported keyword. */
export function validateRuleTexts(
  schema: JsonSchema,
  path: string,
  canFollowPaths: boolean,
  errors: FieldError[],
): void {
  (schema['x-kubernetes-validations'] ?? []).forEach((rule, i) => {
    const rulePath = `${path}.x-kubernetes-validations[${i}]`;
    checkRuleAndMessage(rule, rulePath, errors);
    const { messageExpression = '', reason } = rule;
    if (isBlank(messageExpression)) {
      const detail = 'messageExpression must be non-empty if specified';
      errors.push(required(`${rulePath}.messageExpression`, detail));
    }
    if (reason !== undefined && !allowedReasons.includes(reason)) {
      errors.push(notSupported(`${rulePath}.reason`, reason, allowedReasons));
    }
    checkFieldPath(rule, canFollowPaths ? schema : undefined, `${rulePath}.fieldPath`, errors);
  });
}

function checkRuleAndMessage({ rule, message = '' }: ValidationRule, path: string, errors: FieldError[]): void {
  if (rule.trim() === '') {
    errors.push(required(`${path}.rule`, 'rule is not specified'));
  } else if (isBlank(message)) {
    errors.push(invalid(`${path}.message`, message, 'must be non-empty if specified'));
  } else if (hasLineBreak(message.trim())) {
    errors.push(invalid(`${path}.message`, message, 'must not contain line breaks'));
  } else if (hasLineBreak(rule.trim()) && message === '') {
    errors.push(required(`${path}.message`, 'message must be specified if rule contains line breaks'));
  }
}

function checkFieldPath(
  { fieldPath = '' }: ValidationRule,
  schema: JsonSchema | undefined,
  path: string,
  errors: FieldError[],
): void {
  if (fieldPath === '') return;
  if (isBlank(fieldPath)) errors.push(invalid(path, fieldPath, 'must be non-empty if specified'));
  if (hasLineBreak(fieldPath)) errors.push(invalid(path, fieldPath, 'must not contain line breaks'));
  if (schema !== undefined && 'problem' in followFieldPath(fieldPath, schema)) {
    errors.push(invalid(path, fieldPath, 'must be a valid path'));
  }
}

/** Set, but only to white space. */
function isBlank(text: string): boolean {
  return text !== '' && text.trim() === '';
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}
