/** One version of a kind as a server has it, for tests of what users may write. */
import { fieldErrorText, type JsonObject, type KubeObject } from '@flotilla/kube';
import { compileSchema, type CompiledSchema, type CustomResourceDefinition } from '@flotilla/schema';

/** A create, or an update of an object with other fields. */
export type Attempt = { readonly create: JsonObject } | { readonly from: JsonObject; readonly to: JsonObject };

export class ServedKind {
  readonly #schema: CompiledSchema;
  readonly #typeMeta: { readonly apiVersion: string; readonly kind: string };

  constructor({ spec }: CustomResourceDefinition, version: string) {
    const served = spec.versions.find(({ name }) => name === version);
    if (!served) throw new Error(`${spec.names.kind} has no version ${version}`);
    this.#schema = compileSchema(served.schema?.openAPIV3Schema ?? {}, { metadata: passThroughMetadata });
    this.#typeMeta = { apiVersion: `${spec.group}/${version}`, kind: spec.names.kind };
  }

  /** What the server would store: without unknown fields, with defaults. */
  stored(fields: JsonObject): KubeObject {
    const object: KubeObject = structuredClone({ ...this.#typeMeta, metadata: { name: 'app' }, ...fields });
    this.#schema.prune(object);
    this.#schema.setDefaults(object);
    return object;
  }

  refusals(attempt: Attempt): string[] {
    const { errors } =
      'create' in attempt
        ? this.#schema.validate(this.stored(attempt.create))
        : this.#schema.validateUpdate(this.stored(attempt.to), this.stored(attempt.from));
    return errors.map(fieldErrorText);
  }
}

const passThroughMetadata = {
  mergeType: {},
  read: (metadata: unknown) => ({ metadata: metadata as JsonObject, unknownFields: [] }),
};
