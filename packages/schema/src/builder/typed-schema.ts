import type { JsonSchema } from '../json-schema.ts';

/**
 * A schema with three uses: as a TypeScript type, as the OpenAPI of a definition, and for pruning, defaults and
 * validation. It can only express structural schemas, so nothing needs to be refused.
 */
export interface TypedSchema<T, P extends Presence = 'required'> {
  readonly json: JsonSchema;
  readonly presence: P;
  /** Carries T for inference; never set. */
  readonly type?: T;
}

/** Users may omit `defaulted` fields, but controllers always find them. */
export type Presence = 'required' | 'optional' | 'defaulted';

export type Infer<S> = S extends TypedSchema<infer T, Presence> ? T : never;

export type Fields = Readonly<Record<string, TypedSchema<unknown, Presence>>>;

type OptionalNames<F extends Fields> = { [K in keyof F]: F[K]['presence'] extends 'optional' ? K : never }[keyof F];

/** The type of an object with these fields, as controllers see it. */
export type ObjectOf<F extends Fields> = Flat<
  { [K in Exclude<keyof F, OptionalNames<F>>]: Infer<F[K]> } & { [K in OptionalNames<F>]?: Infer<F[K]> }
>;

/** One object type instead of an intersection, so that editors show the fields. */
type Flat<T> = { [K in keyof T]: T[K] };
