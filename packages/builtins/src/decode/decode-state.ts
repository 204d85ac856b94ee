import { JsonFloat, type JsonValue } from '@flotilla/kube';
import type { Field, StructType } from '../table/struct-type.ts';

/** What Go reports about a value that does not fit its type. */
export interface DecodeProblems {
  /** Go's message for the first value of a wrong type. The caller must not use the object then. */
  readonly error?: string;
  /** The message of a type that decodes its own JSON, before Go adds the path. Set only beside such an error. */
  readonly ownError?: string;
  /** Paths of unknown fields, as strict decoding writes them: `spec.containers[0].foo`. */
  readonly unknownFields: readonly string[];
}

/** Kubernetes reports no more than this. */
const maxStrictProblems = 100;

interface TypeMismatch {
  readonly value: string;
  readonly goName: string;
  readonly struct: string;
  readonly path: readonly string[];
  /** The message of a type that decodes its own JSON. It contains no path. */
  readonly own?: string;
}

type Step = Field | number | string;

/** Users decide how deep JSON schemas recurse; the call stack is finite. */
const maxSteps = 1000;

/**
 * The decoder's position and the errors found so far. Every field pushes and pops steps, so parallel arrays hold them
 * instead of objects.
 */
export class DecodeState {
  readonly keepsEmpty: boolean;
  /** Whether numbers were decoded before, so that their digits are unknown. */
  readonly isConverted: boolean;
  readonly unknownFields: string[] = [];
  readonly #structs: (StructType | undefined)[] = [];
  readonly #steps: Step[] = [];
  #depth = 0;
  #outerDepth = 0;
  #error: TypeMismatch | string | undefined;
  #fatal: TypeMismatch | string | undefined;

  constructor(keepsEmpty: boolean, isConverted: boolean) {
    this.keepsEmpty = keepsEmpty;
    this.isConverted = isConverted;
  }

  get problems(): DecodeProblems {
    const error = this.#fatal ?? this.#error;
    if (error === undefined) return { unknownFields: this.unknownFields };
    const ownError = typeof error === 'object' ? error.own : undefined;
    return {
      unknownFields: this.unknownFields,
      error: messageOf(error),
      ...(ownError !== undefined && { ownError }),
    };
  }

  /** Records the error too. */
  get isTooDeep(): boolean {
    if (this.#outerDepth + this.#depth < maxSteps) return false;
    this.fail('exceeded max depth');
    return true;
  }

  enterField(struct: StructType, field: Field): void {
    this.#structs[this.#depth] = struct;
    this.#steps[this.#depth++] = field;
  }

  enterEntry(step: number | string): void {
    this.#structs[this.#depth] = undefined;
    this.#steps[this.#depth++] = step;
  }

  leave(): void {
    this.#depth--;
  }

  /** Go continues after a value of a wrong type, and reports the first. */
  mismatch(value: JsonValue, goName: string): void {
    this.#error ??= this.#mismatch(goKindOf(value), goName);
  }

  /** For a number that is out of range: Go's message then contains its digits. */
  numberMismatch(value: number | bigint | JsonFloat, goName: string): void {
    this.#error ??= this.#mismatch(`number ${this.#literalOf(value)}`, goName);
  }

  /** Records a message without Go's words about the path. */
  recordError(text: string): void {
    this.#error ??= text;
  }

  /** An error from a type that decodes its own JSON ends the decoding and hides earlier errors. */
  fail(text: string): void {
    this.#fatal ??= text;
  }

  failMismatch(value: JsonValue, goName: string): void {
    const kind = goName !== 'string' && isNumber(value) ? `number ${this.#literalOf(value)}` : goKindOf(value);
    const own = messageOf({ value: kind, goName, struct: '', path: [] });
    this.#fatal ??= { ...this.#mismatch(kind, goName), own };
  }

  /** A state for a nested decoding; see `failNested`. */
  nested(): DecodeState {
    const inner = new DecodeState(this.keepsEmpty, this.isConverted);
    inner.#outerDepth = this.#outerDepth + this.#depth;
    return inner;
  }

  /** Records the error of a nested decoding: Go prefixes its path, and names the outer struct. */
  failNested(inner: DecodeState): void {
    const error = inner.#fatal ?? inner.#error;
    if (error === undefined) return;
    if (typeof error === 'string') {
      this.#fatal ??= error;
      return;
    }
    const { struct, path } = this.#position();
    this.#fatal ??= { ...error, struct, path: [...path, ...error.path], own: error.own ?? messageOf(error) };
  }

  unknown(name: string): void {
    if (this.unknownFields.length >= maxStrictProblems) return;
    this.unknownFields.push(this.#strictPath(name));
  }

  #literalOf(value: number | bigint | JsonFloat): string {
    if (!(value instanceof JsonFloat)) return String(value);
    return this.isConverted ? String(value.value) : value.literal;
  }

  #mismatch(value: string, goName: string): TypeMismatch {
    return { value, goName, ...this.#position() };
  }

  /** Go names the innermost struct, and the fields on the way, but neither list indices nor map keys. */
  #position(): { struct: string; path: string[] } {
    let struct = '';
    const path: string[] = [];
    for (let i = 0; i < this.#depth; i++) {
      const step = this.#steps[i];
      if (typeof step !== 'object') continue;
      struct = this.#structs[i]?.name ?? '';
      path.push(step.goPath);
    }
    return { struct, path };
  }

  #strictPath(name: string): string {
    let path = '';
    for (let i = 0; i < this.#depth; i++) {
      const step = this.#steps[i];
      if (typeof step === 'number') path += `[${step}]`;
      else path += `${path === '' ? '' : '.'}${typeof step === 'object' ? step.name : (step ?? '')}`;
    }
    return path === '' ? name : `${path}.${name}`;
  }
}

function messageOf(error: TypeMismatch | string): string {
  if (typeof error === 'string') return error;
  const { value, goName, struct, path } = error;
  const target = path.length === 0 ? 'value' : `struct field ${struct}.${path.join('.')}`;
  return `json: cannot unmarshal ${value} into Go ${target} of type ${goName}`;
}

function goKindOf(value: JsonValue): string {
  if (isNumber(value)) return 'number';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return Array.isArray(value) ? 'array' : 'object';
}

function isNumber(value: JsonValue): value is number | bigint | JsonFloat {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonFloat;
}
