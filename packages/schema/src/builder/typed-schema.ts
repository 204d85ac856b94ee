import type { JsonSchema } from '../json-schema.ts';

/**
 * A schema written once and read three ways: as a TypeScript type, as the OpenAPI of a definition, and by the server to
 * prune, default and validate. There is no way to say what a structural schema may not, so there is nothing to refuse.
 */
export interface TypedSchema<T, P extends Presence = 'required'> {
  readonly json: JsonSchema;
  readonly presence: P;
  /** Carries T for inference; never set. */
  readonly type?: T;
}

/** `defaulted` fields may be left out by users, yet controllers always find them. */
export type Presence = 'required' | 'optional' | 'defaulted';

export type Infer<S> = S extends TypedSchema<infer T, Presence> ? T : never;

export type Fields = Readonly<Record<string, TypedSchema<unknown, Presence>>>;

type OptionalNames<F extends Fields> = { [K in keyof F]: F[K]['presence'] extends 'optional' ? K : never }[keyof F];

/** What an object with these fields looks like to a controller. */
export type ObjectOf<F extends Fields> = Flat<
  { [K in Exclude<keyof F, OptionalNames<F>>]: Infer<F[K]> } & { [K in OptionalNames<F>]?: Infer<F[K]> }
>;

/** One object type instead of an intersection, so that editors show fields. */
type Flat<T> = { [K in keyof T]: T[K] };
