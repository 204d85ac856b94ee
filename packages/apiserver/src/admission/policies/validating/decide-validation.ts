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
  /** How long the validation took. */
  readonly seconds: number;
}

/** An expression that could not be evaluated. */
export interface Failure {
  readonly message: string;
  readonly seconds: number;
}

export interface ValidationOutcome {
  /** In the order of the policy. */
  readonly refusals: readonly Refusal[];
  readonly annotations: readonly (readonly [key: string, value: string])[];
  /** An annotation without a value refuses the request, whatever the binding's actions are. */
  readonly annotationErrors: readonly Failure[];
  /** Validations that could not be evaluated and count as satisfied. */
  readonly ignored: readonly Failure[];
}

const maxMessageBytes = 5 * 1024;

const nothing: ValidationOutcome = { refusals: [], annotations: [], annotationErrors: [], ignored: [] };

/** What the policy says about a request. `failsOpen`: expressions that fail count as satisfied (failurePolicy Ignore). */
export function decideValidation(
  policy: CompiledValidation,
  inputs: Omit<RunInputs, 'variables' | 'hasAuthorizer'>,
  failsOpen: boolean,
): ValidationOutcome {
  const { variables, validations, annotations } = policy;
  const run = new ExpressionRun({ ...inputs, variables, hasAuthorizer: true });
  const unsatisfied: Unsatisfied[] = [];
  for (const [index, { check }] of validations.entries()) {
    const start = performance.now();
    const result = run.run(check);
    if (result === outOfBudget) return failed(outOfBudget.message, failsOpen);
    if (result !== true) unsatisfied.push({ index, result, seconds: secondsSince(start) });
  }
  if (unsatisfied.length === 0 && annotations.length === 0) return nothing;
  const withoutAuthorizer = { ...inputs, variables, hasAuthorizer: false };
  // Kubernetes evaluates all messages first. Only the one of a refusal is needed.
  const decided =
    unsatisfied.length === 0
      ? nothing
      : refusalsOf(validations, unsatisfied, new ExpressionRun(withoutAuthorizer, run.remainingBudget), failsOpen);
  if (annotations.length === 0) return decided;
  return annotate(annotations, new ExpressionRun(withoutAuthorizer), decided, failsOpen);
}

/** A validation that is false, or that could not be evaluated. */
interface Unsatisfied {
  readonly index: number;
  readonly result: Result;
  readonly seconds: number;
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}

function failed(message: string, failsOpen: boolean): ValidationOutcome {
  const failure = { message, seconds: 0 };
  return failsOpen ? { ...nothing, ignored: [failure] } : { ...nothing, refusals: [{ index: 0, ...failure }] };
}

function refusalsOf(
  validations: readonly Validation[],
  unsatisfied: readonly Unsatisfied[],
  messages: ExpressionRun,
  failsOpen: boolean,
): ValidationOutcome {
  const refusals: Refusal[] = [];
  const ignored: Failure[] = [];
  const fail = (index: number, message: string, seconds: number): void => {
    if (failsOpen) ignored.push({ message, seconds });
    else refusals.push({ index, message, seconds });
  };
  for (const { index, result, seconds } of unsatisfied) {
    if (result instanceof CelError) {
      fail(index, result.message, seconds);
      continue;
    }
    const validation = validations[index] as Validation;
    const message = messageOf(validation, messages);
    if (message === outOfBudget) fail(index, `failed messageExpression: ${outOfBudget.message}`, seconds);
    else refusals.push({ index, message: message as string, reason: validation.reason, seconds });
  }
  return { ...nothing, refusals, ignored };
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
  decided: ValidationOutcome,
  failsOpen: boolean,
): ValidationOutcome {
  const values: (readonly [key: string, value: string])[] = [];
  const errors: Failure[] = [];
  for (const { key, value } of annotations) {
    const start = performance.now();
    const result = run.run(value);
    if (result === outOfBudget) return failed(outOfBudget.message, failsOpen);
    if (result instanceof CelError) {
      if (!failsOpen) errors.push({ message: result.message, seconds: secondsSince(start) });
    } else if (typeof result === 'string' && result.trim() !== '') {
      values.push([key, result.trim()]);
    }
  }
  return { ...decided, annotations: values, annotationErrors: errors };
}
