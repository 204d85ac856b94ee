import { createHash } from 'node:crypto';
import { stringifyJson, type JsonObject, type KubeObject } from '@flotilla/kube';
import {
  compileSchema,
  type CompiledSchema,
  type CustomResourceDefinition,
  type DefinitionVersion,
} from '@flotilla/schema';
import { splitApiVersion } from '../../resources/builtin-resource.ts';
import { decodeStored } from '../../resources/object-bytes.ts';
import type { Entry } from '../../store/store.ts';
import { convertByWebhook, type WebhookOptions } from '../conversion/conversion-webhook.ts';
import { convertByName, type Convert } from '../conversion/convert.ts';
import type { SchemaOf } from './custom-codec.ts';
import { definitionOf } from '../../resources/definition-kind.ts';
import { objectMeta } from '../../resources/object-meta.ts';
import { StopSignal } from '../../resources/stop-signal.ts';

/**
 * One state of a definition's spec while it is served. Schemas are compiled when an object first needs them: most
 * definitions of a cluster are never used, and a thousand of them should cost little.
 */
export class ServedDefinition {
  readonly entry: Entry;
  readonly #webhooks: WebhookOptions;
  readonly #schemas = new Map<string, CompiledSchema>();
  /** Stops when the definition changes or is no longer served. */
  readonly stopped = new StopSignal();
  #definition: CustomResourceDefinition | undefined;
  #convert: Convert | undefined;
  #storageMark: string | undefined;
  isEstablished = false;
  isTerminating = false;

  constructor(entry: Entry, webhooks: WebhookOptions) {
    this.entry = entry;
    this.#webhooks = webhooks;
  }

  get definition(): CustomResourceDefinition {
    return (this.#definition ??= this.read());
  }

  /** Does not cache: documents contain all definitions, most of which are used for nothing else. */
  read(): CustomResourceDefinition {
    return this.#definition ?? definitionOf(decodeStored(this.entry.bytes));
  }

  /** The generation counts changes of the spec. */
  get state(): string {
    const { uid, generation } = this.definition.metadata;
    return `${uid} ${generation}`;
  }

  get storageVersion(): DefinitionVersion {
    const { versions } = this.definition.spec;
    const storage = versions.find((version) => version.storage);
    if (!storage) throw new Error(`${this.definition.metadata.name} has no storage version`);
    return storage;
  }

  /** Identifies the schema and the selectable fields with which objects are stored. */
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

  readonly schemaOf: SchemaOf = ({ apiVersion, kind }) => {
    const { spec, status } = this.definition;
    const { kind: ownKind } = status?.acceptedNames ?? spec.names;
    if (typeof apiVersion !== 'string' || kind !== ownKind) return undefined;
    const { group, version } = splitApiVersion(apiVersion);
    const isKnown = group === spec.group && spec.versions.some(({ name }) => name === version);
    return isKnown ? this.schema(version) : undefined;
  };

  readonly setDefaults = (object: KubeObject): void => this.schemaOf(object)?.setDefaults(object);

  readonly convert: Convert = (objects, apiVersion) => {
    const { conversion } = this.definition.spec;
    this.#convert ??= conversion?.strategy === 'Webhook' ? convertByWebhook(conversion, this.#webhooks) : convertByName;
    return this.#convert(objects, apiVersion);
  };

  /** Converts with the strategy `None`, without pruning. Undefined for an unknown version. */
  readonly toVersion = (object: JsonObject, apiVersion: string): JsonObject | undefined => {
    if (object['apiVersion'] === apiVersion) return object;
    return this.schemaOf({ apiVersion, kind: object['kind'] }) && { ...object, apiVersion };
  };
}

function markOf({ name, schema, selectableFields }: DefinitionVersion): string {
  const rules = stringifyJson({ schema, selectableFields } as unknown as JsonObject);
  return `${name}@${createHash('sha256').update(rules).digest('base64url').slice(0, 11)}`;
}
