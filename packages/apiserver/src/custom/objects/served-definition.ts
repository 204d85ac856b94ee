import type { JsonObject, KubeObject } from '@flotilla/kube';
import type { CompiledSchema, CustomResourceDefinition, DefinitionVersion } from '@flotilla/schema';
import { splitApiVersion } from '../../resources/builtin-resource.ts';
import type { Entry } from '../../store/store.ts';
import { convertByWebhook, type WebhookOptions } from '../conversion/conversion-webhook.ts';
import { convertByName, type Convert } from '../conversion/convert.ts';
import { compiledDefinition, type CompiledDefinition } from './compiled-definition.ts';
import type { SchemaOf } from './custom-codec.ts';
import { StopSignal } from '../../resources/stop-signal.ts';

/** One state of a definition's spec while it is served. */
export class ServedDefinition {
  readonly entry: Entry;
  readonly #webhooks: WebhookOptions;
  readonly #compiled: CompiledDefinition;
  /** Stops when the definition changes or is no longer served. */
  readonly stopped = new StopSignal();
  #convert: Convert | undefined;
  isEstablished = false;
  isTerminating = false;

  constructor(entry: Entry, webhooks: WebhookOptions) {
    this.entry = entry;
    this.#webhooks = webhooks;
    this.#compiled = compiledDefinition(entry);
  }

  get definition(): CustomResourceDefinition {
    return this.#compiled.definition;
  }

  /** Does not cache: documents contain all definitions, most of which are used for nothing else. */
  read(): CustomResourceDefinition {
    return this.#compiled.read();
  }

  /** The generation counts changes of the spec. */
  get state(): string {
    const { uid, generation } = this.definition.metadata;
    return `${uid} ${generation}`;
  }

  get storageVersion(): DefinitionVersion {
    return this.#compiled.storageVersion;
  }

  /** Identifies the schema and the selectable fields with which objects are stored. */
  get storageMark(): string {
    return this.#compiled.storageMark;
  }

  version(name: string): DefinitionVersion {
    return this.#compiled.version(name);
  }

  schema(name: string): CompiledSchema {
    return this.#compiled.schema(name);
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
