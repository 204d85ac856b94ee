import { CelError, CelOptional, type Bindings, type Evaluation, type Program, type Result } from '@flotilla/cel';
import {
  byteLength,
  fieldErrorText,
  forbidden,
  invalid,
  invalidUnprinted,
  quote,
  required,
  type FieldError,
  type JsonValue,
} from '@flotilla/kube';
import type { JsonSchema, ValidationRule } from '../json-schema.ts';
import type { Correlation } from '../value/correlation.ts';
import { duplicateValue, invalidValue } from '../value/problem.ts';
import { WalkPath } from '../value/walk-path.ts';
import type { CompiledRule } from './compiled-rule.ts';
import type { RuleNode } from './rule-node.ts';

/** The cost limit of one evaluation. */
const callCostLimit = 1_000_000;
const maxMessageBytes = 5 * 1024;

const outOfBudgetMessage =
  'validation failed due to running out of cost budget, no further validation rules will be run';
const costExceededMessage = 'operation cancelled: actual cost limit exceeded';

/** Evaluates rules. May throw to stop the validation, where they cost too much for the thread of the caller. */
export interface RuleEvaluator {
  evaluate(program: Program, bindings: Bindings, costLimit: number): Evaluation;
}

const plainEvaluator: RuleEvaluator = {
  evaluate: (program, bindings, costLimit) => program.evaluate(bindings, { costLimit }),
};

export interface RuleRun {
  readonly evaluator: RuleEvaluator;
  readonly errors: FieldError[];
  readonly warnings: string[];
  readonly walkPath: WalkPath;
  budget: number;
  /** The remaining length of all messages: a rule with a long message may fail for each of many items. */
  textLeft: number;
}

/** Limits the length of all messages. */
const maxTextLength = 2 ** 24;

export function newRun(budget: number, evaluator = plainEvaluator): RuleRun {
  return { evaluator, errors: [], warnings: [], walkPath: new WalkPath(), budget, textLeft: maxTextLength };
}

interface Subject {
  readonly value: Exclude<JsonValue, null>;
  readonly old: JsonValue;
  readonly ratchet: Ratchet;
}

/** Runs the rules of one node. False if the budget is spent. */
export function runRules(node: RuleNode, subject: Subject, run: RuleRun): boolean {
  return new NodeRun(node, subject, run).runAll();
}

type Evaluated = { readonly value: Result } | 'out of budget';

class NodeRun {
  readonly #node: RuleNode;
  readonly #subject: Subject;
  readonly #run: RuleRun;
  readonly #self: Result;
  #oldSelf: Result | undefined;

  constructor(node: RuleNode, subject: Subject, run: RuleRun) {
    this.#node = node;
    this.#subject = subject;
    this.#run = run;
    this.#self = node.reader.read(subject.value);
  }

  runAll(): boolean {
    const rules = this.#node.rules();
    if (rules === undefined) {
      const reason = 'failed to convert to declType for CEL validation rules';
      this.#fail(`rule compiler initialization error: ${reason}`);
      return true;
    }
    if (this.#run.budget <= 0) return this.#stop(outOfBudgetMessage);
    return rules.every((rule) => this.#runOne(rule) && this.#run.textLeft > 0);
  }

  #runOne(compiled: CompiledRule): boolean {
    const { rule, program, error, usesOldSelf } = compiled;
    if (error !== undefined) this.#fail(`rule compile error: ${error}`);
    if (program === undefined) return true;
    const isOptional = rule.optionalOldSelf === true;
    if (usesOldSelf && this.#subject.old === null && !isOptional) return true;
    const evaluated = this.#evaluate(program, usesOldSelf, isOptional);
    if (evaluated === 'out of budget') return this.#stop(outOfBudgetMessage);
    if (evaluated.value === true) return true;
    if (evaluated.value instanceof CelError) return this.#failToEvaluate(evaluated.value.message, rule);
    return this.#report(compiled);
  }

  #failToEvaluate(message: string, rule: ValidationRule): boolean {
    const name = ruleName(rule);
    if (message.startsWith('no such overload')) {
      const explanation = 'call arguments did not match a supported operator, function or macro signature for rule';
      this.#fail(`'${message}': ${explanation}: ${name}`);
      return true;
    }
    if (message.startsWith(costExceededMessage)) {
      const explanation = 'no further validation rules will be run due to call cost exceeds limit for rule';
      return this.#stop(`'${message}': ${explanation}: ${name}`);
    }
    this.#fail(`${message} evaluating rule: ${name}`);
    return true;
  }

  /** Reports that the rule is false, with its own message. */
  #report(compiled: CompiledRule): boolean {
    const { rule, fieldPath } = compiled;
    const field = this.#field(fieldPath);
    const message = this.#message(compiled);
    if ('refusal' in message) {
      this.#add(compiled, typeFailure(field, this.#node.node.schema, message.refusal));
      return false;
    }
    const detail = message.text ?? ruleMessage(rule);
    this.#add(compiled, failureOf(rule, { field, value: this.#subject.value, detail, schema: this.#node.node.schema }));
    return true;
  }

  /** Without a text, the rule's static message is used. */
  #message({ rule, message }: CompiledRule): { readonly text?: string } | { readonly refusal: string } {
    if (message === undefined) return {};
    const knowsOldSelf = this.#node.rules()?.some(({ usesOldSelf }) => usesOldSelf) === true;
    const evaluated = this.#evaluate(message, knowsOldSelf, false);
    if (evaluated === 'out of budget') return { refusal: messageOutOfBudget };
    const { value } = evaluated;
    if (value instanceof CelError && value.message.startsWith(costExceededMessage)) {
      const explanation =
        'no further validation rules will be run due to call cost exceeds limit for messageExpression';
      return { refusal: `${explanation}: ${quote(rule.messageExpression ?? '')}` };
    }
    const text = typeof value === 'string' ? value.trim() : '';
    const isUsable = text !== '' && !text.includes('\n') && byteLength(text) <= maxMessageBytes;
    return isUsable ? { text } : {};
  }

  #evaluate(program: Program, needsOldSelf: boolean, isOptional: boolean): Evaluated {
    const oldSelf = needsOldSelf ? this.#oldValue(isOptional) : undefined;
    const { evaluator } = this.#run;
    const { value, cost } = evaluator.evaluate(program, { self: this.#self, oldSelf }, callCostLimit);
    if (cost > this.#run.budget) return 'out of budget';
    this.#run.budget -= cost;
    return { value };
  }

  #oldValue(isOptional: boolean): Result | undefined {
    const { old } = this.#subject;
    if (old === null) return isOptional ? CelOptional.none : undefined;
    this.#oldSelf ??= this.#node.reader.read(old);
    if (!isOptional || this.#oldSelf instanceof CelError) return this.#oldSelf;
    return new CelOptional(this.#oldSelf);
  }

  /** Failures of transition rules are always errors. */
  #add({ usesOldSelf }: CompiledRule, error: FieldError): void {
    this.#run.textLeft -= error.body.length;
    if (!usesOldSelf && isUnchanged(this.#subject.ratchet)) this.#run.warnings.push(fieldErrorText(error));
    else this.#run.errors.push(error);
  }

  #fail(detail: string): void {
    const error = typeFailure(this.#field(''), this.#node.node.schema, detail);
    this.#run.textLeft -= error.body.length;
    this.#run.errors.push(error);
  }

  #stop(detail: string): false {
    this.#fail(detail);
    return false;
  }

  #field(below: string): string {
    const path = this.#run.walkPath.toString();
    if (path === '') return below === '' ? '<nil>' : below;
    return below === '' ? path : `${path}.${below}`;
  }
}

const messageOutOfBudget =
  'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run';

function ruleName({ rule, message = '' }: ValidationRule): string {
  return (message === '' ? rule : message).trim();
}

function ruleMessage(rule: ValidationRule): string {
  const { message = '' } = rule;
  return message === '' ? `failed rule: ${ruleName(rule)}` : message.trim();
}

/**
 * Ratcheting: whether failures at a value are accepted because it did not change. A value without counterpart in the
 * old object depends on the nearest parent that has one.
 */
export interface Ratchet {
  readonly here: Correlation | undefined;
  readonly parent: Correlation | undefined;
}

export const noRatchet: Ratchet = { here: undefined, parent: undefined };

function isUnchanged({ here, parent: around }: Ratchet): boolean {
  return (here ?? around)?.isUnchanged === true;
}

export function ratchetAtKey(ratchet: Ratchet, key: string): Ratchet {
  const { here, parent: around } = ratchet;
  if (here === undefined) return ratchet;
  // The object may have been converted from another version, so a change is unknown.
  if (around === undefined && (key === 'apiVersion' || key === 'kind')) return noRatchet;
  return { here: here.key(key), parent: here };
}

export function ratchetAtIndex(ratchet: Ratchet, index: number): Ratchet {
  const { here } = ratchet;
  return here === undefined ? ratchet : { here: here.index(index), parent: here };
}

interface Failure {
  readonly field: string;
  readonly value: JsonValue;
  readonly detail: string;
  readonly schema: JsonSchema;
}

/** The error of a rule that is false, with the reason that the rule declares. Prints only scalars. */
function failureOf({ reason = '' }: ValidationRule, { field, value, detail, schema }: Failure): FieldError {
  const isPrinted = schema.type !== 'object' && schema.type !== 'array';
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(field, detail);
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueDuplicate':
      return isPrinted ? duplicateValue(field, value) : { type: 'FieldValueDuplicate', field, body: 'Duplicate value' };
    default:
      return isPrinted ? invalidValue(field, value, detail) : invalidUnprinted(field, detail);
  }
}

/** The error of a rule that could not be evaluated. The value is named by its type. */
function typeFailure(field: string, { type = '' }: JsonSchema, detail: string): FieldError {
  return invalid(field, type, detail);
}
