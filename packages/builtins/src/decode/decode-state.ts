import { JsonFloat, type JsonValue } from '@flotilla/kube';
import type { Field, StructType } from '../table/struct-type.ts';

/** What Go would say about a value that does not fit its type. */
export interface DecodeProblems {
  /** Go's sentence for the first value of a wrong type; the object is then not to be used. */
  readonly error?: string;
  /** What a type that reads its own JSON said before Go added the place. Present only beside such an error. */
  readonly ownError?: string;
  /** Paths of fields that the types do not have, as strict decoding writes them: `spec.containers[0].foo`. */
  readonly unknownFields: readonly string[];
}

/** Kubernetes stops counting there. */
const maxStrictProblems = 100;

interface TypeMismatch {
  readonly value: string;
  readonly goName: string;
  readonly struct: string;
  readonly path: readonly string[];
  /** The sentence of a type that reads its own JSON, which knows no place. */
  readonly own?: string;
}

type Step = Field | number | string;

/** JSON schemas recurse as deep as users like; the call stack does not. */
const maxSteps = 1000;

/**
 * Where the decoder is, and what it found wrong so far. Steps are pushed and popped for each field, so they are kept in
 * arrays of their own instead of objects.
 */
export class DecodeState {
  readonly keepsEmpty: boolean;
  /** Numbers were values before they came here, not texts. */
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
      error: sentence(error),
      ...(ownError !== undefined && { ownError }),
    };
  }

  /** Notes the error too. */
  get isTooDeep(): boolean {
    if (this.#outerDepth + this.#depth < maxSteps) return false;
    this.fail('exceeded max depth');
    return true;
  }

  enterField(struct: StructType, field: Field): void {
    this.#structs[this.#depth] = struct;
    this.#steps[this.#depth++] = field;
  }

  /** Into an element of a list, or an entry of a map. */
  enterEntry(step: number | string): void {
    this.#structs[this.#depth] = undefined;
    this.#steps[this.#depth++] = step;
  }

  leave(): void {
    this.#depth--;
  }

  /** Go goes on after a value of a wrong type, and reports the first. */
  mismatch(value: JsonValue, goName: string): void {
    this.#error ??= this.#mismatch(goKindOf(value), goName);
  }

  /** A number that is one, but does not fit: Go's sentence then has its digits. */
  numberMismatch(value: number | bigint | JsonFloat, goName: string): void {
    this.#error ??= this.#mismatch(`number ${this.#literalOf(value)}`, goName);
  }

  /** A sentence about a value, without Go's words about its place. */
  complain(sentence: string): void {
    this.#error ??= sentence;
  }

  /** What a type that reads its own JSON throws ends the decoding, and hides what was found before. */
  fail(sentence: string): void {
    this.#fatal ??= sentence;
  }

  failMismatch(value: JsonValue, goName: string): void {
    const kind = goName !== 'string' && isNumber(value) ? `number ${this.#literalOf(value)}` : goKindOf(value);
    const own = sentence({ value: kind, goName, struct: '', path: [] });
    this.#fatal ??= { ...this.#mismatch(kind, goName), own };
  }

  /** For a decoding inside this one; see `failInside`. */
  inside(): DecodeState {
    const inner = new DecodeState(this.keepsEmpty, this.isConverted);
    inner.#outerDepth = this.#outerDepth + this.#depth;
    return inner;
  }

  /** An error of a decoding inside this one: Go prefixes its path, and names the outer struct. */
  failInside(inner: DecodeState): void {
    const error = inner.#fatal ?? inner.#error;
    if (error === undefined) return;
    if (typeof error === 'string') {
      this.#fatal ??= error;
      return;
    }
    const { struct, path } = this.#place();
    this.#fatal ??= { ...error, struct, path: [...path, ...error.path], own: error.own ?? sentence(error) };
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
    return { value, goName, ...this.#place() };
  }

  /** Go names the innermost struct, and the fields on the way, but neither list indices nor map keys. */
  #place(): { struct: string; path: string[] } {
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

function sentence(error: TypeMismatch | string): string {
  if (typeof error === 'string') return error;
  const { value, goName, struct, path } = error;
  const place = path.length === 0 ? 'value' : `struct field ${struct}.${path.join('.')}`;
  return `json: cannot unmarshal ${value} into Go ${place} of type ${goName}`;
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
