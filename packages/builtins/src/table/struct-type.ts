import type { GoType } from './go-type.ts';

/** One field of a struct, as Go's tags and comment markers describe it. */
export interface Field {
  /** In JSON. */
  readonly name: string;
  /** In Go. */
  readonly goName: string;
  /** How Go's decoding errors name it: embedded structs come first (`VolumeSource.emptyDir`). */
  readonly goPath: string;
  /** The field number in protobuf; 0 if protobuf does not have the field. */
  readonly number: number;
  readonly type: GoType;
  readonly omitEmpty: boolean;
  readonly omitZero: boolean;
  /** Whether OpenAPI lists it as required. */
  readonly isRequired: boolean;
  readonly listType?: string;
  readonly listMapKeys?: readonly string[];
  readonly mapType?: string;
  readonly patchStrategies: readonly string[];
  readonly patchMergeKey?: string;
  /** The default that a marker in Go declares. */
  readonly default?: string | number | boolean;
}

/** An embedded struct. JSON puts its fields among the owner's, protobuf nests it. */
interface Inlined {
  readonly number: number;
  readonly type: StructType;
}

export type Member = Field | Inlined;

/** OpenAPI's extension for fields of which only one may be set. */
export interface Union {
  readonly discriminator: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface StructText {
  readonly members: readonly Member[];
  readonly mapType?: string;
  readonly union?: Union;
}

/** A struct type. Its members are parsed from the table on first use. */
export class StructType {
  readonly kind = 'struct';
  readonly name: string;
  readonly goName: string;
  /** The name of its OpenAPI schema. */
  readonly modelName: string;
  /** Of its package. Undefined outside the API groups, and for meta kinds, which belong to every group. */
  readonly apiVersion: string | undefined;
  readonly isKind: boolean;
  #read: () => StructText;
  #text: StructText | undefined;
  #fields: readonly Field[] | undefined;

  constructor(
    identity: { name: string; goName: string; modelName: string; apiVersion: string | undefined; isKind: boolean },
    read: () => StructText,
  ) {
    this.name = identity.name;
    this.goName = identity.goName;
    this.modelName = identity.modelName;
    this.apiVersion = identity.apiVersion;
    this.isKind = identity.isKind;
    this.#read = read;
  }

  /** In struct order, with inlined structs as members. */
  get members(): readonly Member[] {
    return this.#content().members;
  }

  /** In struct order, with the fields of inlined structs in their place: the order on the wire. */
  get fields(): readonly Field[] {
    this.#fields ??= this.members.flatMap(flattened);
    return this.#fields;
  }

  get mapType(): string | undefined {
    return this.#content().mapType;
  }

  get union(): Union | undefined {
    return this.#content().union;
  }

  #content(): StructText {
    this.#text ??= this.#read();
    return this.#text;
  }
}

export function isInlined(member: Member): member is Inlined {
  return !('name' in member);
}

function flattened(member: Member): readonly Field[] {
  if (!isInlined(member)) return [member];
  return member.type.fields.map((field) => ({ ...field, goPath: `${member.type.name}.${field.goPath}` }));
}
