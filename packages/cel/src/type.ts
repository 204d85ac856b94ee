import type { CelValue, Result } from './value.ts';

/** The types of CEL. Types are equal if their structure is; object types, if their names are. */
export type CelType =
  | PrimitiveType
  | { readonly kind: 'list'; readonly element: CelType }
  | { readonly kind: 'map'; readonly key: CelType; readonly value: CelType }
  | ObjectType
  | OpaqueType
  /** The type of types. */
  | { readonly kind: 'type'; readonly of?: CelType }
  /** A type parameter in the signature of an overload. */
  | { readonly kind: 'param'; readonly name: string };

interface PrimitiveType {
  readonly kind: PrimitiveKind;
}

type PrimitiveKind =
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'dyn'
  | 'error';

/** Fields are looked up by name, because types may be recursive. */
export interface ObjectType {
  readonly kind: 'object';
  readonly name: string;
  readonly field: (name: string) => CelType | undefined;
  /** Creates a value from a literal (`Name{field: value}`). Absent if expressions cannot create values of this type. */
  readonly create?: (fields: ReadonlyMap<string, CelValue>) => Result;
  /** Whether it has no fields, so that only the functions of its library can read it. */
  readonly isSealed?: boolean;
}

/** A value that only its own functions can read: `kubernetes.Quantity`, `optional_type(T)`. */
export interface OpaqueType {
  readonly kind: 'opaque';
  readonly name: string;
  readonly parameters: readonly CelType[];
}

export const types = {
  null: { kind: 'null' },
  bool: { kind: 'bool' },
  int: { kind: 'int' },
  uint: { kind: 'uint' },
  double: { kind: 'double' },
  string: { kind: 'string' },
  bytes: { kind: 'bytes' },
  timestamp: { kind: 'timestamp' },
  duration: { kind: 'duration' },
  dyn: { kind: 'dyn' },
  error: { kind: 'error' },
  type: { kind: 'type' },
  list: (element: CelType): CelType => ({ kind: 'list', element }),
  map: (key: CelType, value: CelType): CelType => ({ kind: 'map', key, value }),
  object: (name: string, field: ObjectType['field']): ObjectType => ({ kind: 'object', name, field }),
  sealed: (name: string): ObjectType => ({ kind: 'object', name, field: () => undefined, isSealed: true }),
  opaque: (name: string, ...parameters: CelType[]): OpaqueType => ({ kind: 'opaque', name, parameters }),
  optional: (value: CelType): OpaqueType => types.opaque('optional_type', value),
  param: (name: string): CelType => ({ kind: 'param', name }),
} as const satisfies Record<string, CelType | ((...args: never[]) => CelType)>;

const noTypes: readonly CelType[] = [];

/** The element type of a list, the key and value types of a map. */
export function partsOf(type: CelType): readonly CelType[] {
  if (type.kind === 'list') return [type.element];
  if (type.kind === 'map') return [type.key, type.value];
  if (type.kind === 'opaque') return type.parameters;
  if (type.kind === 'type' && type.of !== undefined) return [type.of];
  return noTypes;
}

/** The type with other parts. Returns the same object if no part changed. */
export function mapParts(type: CelType, change: (part: CelType) => CelType): CelType {
  const parts = partsOf(type);
  if (parts.length === 0) return type;
  const changed = parts.map(change);
  return changed.every((part, index) => part === parts[index]) ? type : withParts(type, changed);
}

function withParts(type: CelType, parts: readonly CelType[]): CelType {
  const [first = types.dyn, second = types.dyn] = parts;
  if (type.kind === 'list') return types.list(first);
  if (type.kind === 'map') return types.map(first, second);
  if (type.kind === 'opaque') return types.opaque(type.name, ...parts);
  return type.kind === 'type' ? { kind: 'type', of: first } : type;
}

/** What distinguishes types of one kind besides their parts. */
export function nameOf(type: CelType): string {
  return type.kind === 'object' || type.kind === 'opaque' || type.kind === 'param' ? type.name : '';
}
