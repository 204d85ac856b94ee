import { createHash } from 'node:crypto';
import { onceFor, stringifyJson, type JsonObject } from '@flotilla/kube';
import {
  compileSchema,
  type CompiledSchema,
  type CustomResourceDefinition,
  type DefinitionVersion,
} from '@flotilla/schema';
import { definitionOf } from '../../resources/definition-kind.ts';
import { decodeStored } from '../../resources/object-bytes.ts';
import { objectMeta } from '../../resources/object-meta.ts';
import type { Entry } from '../../store/store.ts';

/**
 * What follows from the spec of a stored definition alone. Schemas are compiled when an object first needs them: most definitions of a
 * cluster are never used, and a thousand of them should cost little.
 */
export class CompiledDefinition {
  readonly #entry: Entry;
  readonly #schemas = new Map<string, CompiledSchema>();
  #definition: CustomResourceDefinition | undefined;
  #storageMark: string | undefined;

  constructor(entry: Entry) {
    this.#entry = entry;
  }

  get definition(): CustomResourceDefinition {
    return (this.#definition ??= this.read());
  }

  read(): CustomResourceDefinition {
    return this.#definition ?? definitionOf(decodeStored(this.#entry.bytes));
  }

  get storageVersion(): DefinitionVersion {
    const { versions } = this.definition.spec;
    const storage = versions.find((version) => version.storage);
    if (!storage) throw new Error(`${this.definition.metadata.name} has no storage version`);
    return storage;
  }

  get storageMark(): string {
    this.#storageMark ??= markOf(this.storageVersion);
    return this.#storageMark;
  }

  version(name: string): DefinitionVersion {
    const found = this.definition.spec.versions.find((version) => version.name === name);
    if (!found) throw new Error(`${this.definition.metadata.name} has no version ${name}`);
    return found;
  }

  schema(name: string): CompiledSchema {
    let schema = this.#schemas.get(name);
    if (!schema) {
      schema = compileSchema(this.version(name).schema?.openAPIV3Schema ?? {}, { metadata: objectMeta });
      this.#schemas.set(name, schema);
    }
    return schema;
  }
}

/** The servers of a fleet start with the same entries, so that they compile a definition once. */
export const compiledDefinition = onceFor((entry: Entry) => new CompiledDefinition(entry));

function markOf({ name, schema, selectableFields }: DefinitionVersion): string {
  const rules = stringifyJson({ schema, selectableFields } as unknown as JsonObject);
  return `${name}@${createHash('sha256').update(rules).digest('base64url').slice(0, 11)}`;
}
