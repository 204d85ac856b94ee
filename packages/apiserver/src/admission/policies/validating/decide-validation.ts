import { CelError, type Result } from '@flotilla/cel';
import { byteLength } from '@flotilla/kube';
import { ExpressionRun, outOfBudget, type RunInputs } from '../expression-run.ts';
import type { AuditAnnotation, CompiledValidation, Validation } from './validating-policy.ts';

/** Why a policy refuses a request. */
export interface Refusal {
  /** The position of the validation in the policy. */
  readonly index: number;
  readonly message: string;
  /** Undefined if an expression could not be evaluated. */
  readonly reason?: string;
}

export interface ValidationOutcome {
  /** In the order of the policy. */
  readonly refusals: readonly Refusal[];
  readonly annotations: readonly (readonly [key: string, value: string])[];
  /** An annotation without a value refuses the request, whatever the binding's actions are. */
  readonly annotationErrors: readonly string[];
}

const maxMessageBytes = 5 * 1024;

const nothing: ValidationOutcome = { refusals: [], annotations: [], annotationErrors: [] };

/** What the policy says about a request. `failsOpen`: expressions that fail count as satisfied (failurePolicy Ignore). */
export function decideValidation(
  policy: CompiledValidation,
  inputs: Omit<RunInputs, 'variables' | 'hasAuthorizer'>,
  failsOpen: boolean,
): ValidationOutcome {
  const { variables, validations, annotations } = policy;
  const run = new ExpressionRun({ ...inputs, variables, hasAuthorizer: true });
  const results: Result[] = [];
  let isSatisfied = true;
  for (const { check } of validations) {
    const result = run.run(check);
    if (result === outOfBudget) return failed(outOfBudget.message, failsOpen);
    if (result !== true) isSatisfied = false;
    results.push(result);
  }
  if (isSatisfied && annotations.length === 0) return nothing;
  const withoutAuthorizer = { ...inputs, variables, hasAuthorizer: false };
  // Kubernetes evaluates all messages first. Only the one of a refusal is needed.
  const refusals = isSatisfied
    ? nothing.refusals
    : refusalsOf(policy, results, new ExpressionRun(withoutAuthorizer, run.remainingBudget), failsOpen);
  if (annotations.length === 0) return { ...nothing, refusals };
  return annotate(annotations, new ExpressionRun(withoutAuthorizer), refusals, failsOpen);
}

function failed(message: string, failsOpen: boolean): ValidationOutcome {
  return failsOpen ? nothing : { ...nothing, refusals: [{ index: 0, message }] };
}

function refusalsOf(
  { validations }: CompiledValidation,
  results: readonly Result[],
  messages: ExpressionRun,
  failsOpen: boolean,
): readonly Refusal[] {
  const refusals: Refusal[] = [];
  for (const [index, result] of results.entries()) {
    if (result === true) continue;
    const validation = validations[index] as Validation;
    if (result instanceof CelError) {
      if (!failsOpen) refusals.push({ index, message: result.message });
      continue;
    }
    const message = messageOf(validation, messages);
    if (message !== outOfBudget) refusals.push({ index, message: message as string, reason: validation.reason });
    else if (!failsOpen) refusals.push({ index, message: `failed messageExpression: ${outOfBudget.message}` });
  }
  return refusals;
}

/** A message expression that fails, or whose text is empty, too long or has several lines, is ignored. */
function messageOf({ messageExpression, message }: Validation, run: ExpressionRun): string | typeof outOfBudget {
  const result = messageExpression && run.run(messageExpression);
  if (result === outOfBudget) return outOfBudget;
  if (typeof result !== 'string') return message;
  const text = result.trim();
  return text === '' || text.includes('\n') || byteLength(text) > maxMessageBytes ? message : text;
}

function annotate(
  annotations: readonly AuditAnnotation[],
  run: ExpressionRun,
  refusals: readonly Refusal[],
  failsOpen: boolean,
): ValidationOutcome {
  const values: (readonly [key: string, value: string])[] = [];
  const errors: string[] = [];
  for (const { key, value } of annotations) {
    const result = run.run(value);
    if (result === outOfBudget) return failed(outOfBudget.message, failsOpen);
    if (result instanceof CelError) {
      if (!failsOpen) errors.push(result.message);
    } else if (typeof result === 'string' && result.trim() !== '') {
      values.push([key, result.trim()]);
    }
  }
  return { refusals, annotations: values, annotationErrors: errors };
}
