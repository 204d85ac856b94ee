import { isJsonObject, type JsonObject, type JsonValue } from '@flotilla/kube';
import { KubeconfigError } from './kubeconfig.ts';

/** Reads the fields of one mapping and knows its path for error messages. Unknown fields are allowed. */
export class Fields {
  readonly #values: JsonObject;
  readonly #place: string;

  constructor(values: JsonValue | undefined, place: string) {
    if (values !== undefined && values !== null && !isJsonObject(values)) {
      throw new KubeconfigError(`${place} must be a mapping`);
    }
    this.#values = values ?? {};
    this.#place = place;
  }

  /** An empty text counts as absent. */
  text(name: string): string | undefined {
    const value = this.#value(name);
    if (value !== undefined && typeof value !== 'string') throw this.wrong(name, 'must be text');
    return value === '' ? undefined : value;
  }

  flag(name: string): boolean {
    const value = this.#value(name) ?? false;
    if (typeof value !== 'boolean') throw this.wrong(name, 'must be true or false');
    return value;
  }

  texts(name: string): string[] {
    const values = this.#list(name);
    if (!values.every((value) => typeof value === 'string')) throw this.wrong(name, 'must be a list of texts');
    return values;
  }

  /** Undefined if the field is absent. */
  fields(name: string): Fields | undefined {
    const value = this.#value(name);
    return value === undefined ? undefined : new Fields(value, `${this.#place}.${name}`);
  }

  /** The mappings in a list. */
  each(name: string): Fields[] {
    return this.#list(name).map((value, index) => new Fields(value, `${this.#place}.${name}[${index}]`));
  }

  textsByName(name: string): Record<string, string[]> {
    const fields = this.fields(name);
    if (fields === undefined) return {};
    return Object.fromEntries(Object.keys(fields.#values).map((key) => [key, fields.texts(key)]));
  }

  /** The value without checks. */
  any(name: string): JsonValue | undefined {
    return this.#value(name);
  }

  wrong(name: string, problem: string): KubeconfigError {
    return new KubeconfigError(`${this.#place}.${name} ${problem}`);
  }

  #list(name: string): JsonValue[] {
    const value = this.#value(name) ?? [];
    if (!Array.isArray(value)) throw this.wrong(name, 'must be a list');
    return value;
  }

  #value(name: string): JsonValue | undefined {
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
    return value === null ? undefined : value;
  }
}
