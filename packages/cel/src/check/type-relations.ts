import { nameOf, partsOf, type CelType } from '../type.ts';

export function isDyn(type: CelType): boolean {
  return type.kind === 'dyn';
}

export function isDynOrError(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'error';
}

/** The type inside an optional; undefined for other types. */
export function optionalValue(type: CelType): CelType | undefined {
  return type.kind === 'opaque' && type.name === 'optional_type' ? type.parameters[0] : undefined;
}

export function isSameType(a: CelType, b: CelType): boolean {
  return a === b || (isSameConstructor(a, b) && everyPart(a, b, isSameType));
}

/** The more general of two assignable types. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isEqualOrMoreGeneral(a, b) ? a : b;
}

function isEqualOrMoreGeneral(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param') return false;
  if (a.kind === 'type') return b.kind === 'type';
  return isSameConstructor(a, b) && everyPart(a, b, isEqualOrMoreGeneral);
}

export function isSameConstructor(a: CelType, b: CelType): boolean {
  return a.kind === b.kind && nameOf(a) === nameOf(b);
}

export function everyPart(a: CelType, b: CelType, holds: (a: CelType, b: CelType) => boolean): boolean {
  const partsOfB = partsOf(b);
  const partsOfA = partsOf(a);
  return (
    partsOfA.length === partsOfB.length && partsOfA.every((part, index) => holds(part, partsOfB[index] as CelType))
  );
}

/** A type as messages print it. */
export function typeName(type: CelType): string {
  if (type.kind === 'error') return '!error!';
  const name = nameOf(type) || type.kind;
  const parts = partsOf(type);
  return parts.length === 0 ? name : `${name}(${parts.map(typeName).join(', ')})`;
}

const longNames: Readonly<Partial<Record<CelType['kind'], string>>> = {
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
};

/** A type by the names of its declarations, which differ from those in messages of the checker. */
export function declaredName(type: CelType): string {
  const name = nameOf(type) || (longNames[type.kind] ?? type.kind);
  const parts = partsOf(type);
  return parts.length === 0 ? name : `${name}(${parts.map(declaredName).join(', ')})`;
}

/** The argument types of a call as messages print them, with the receiver first. */
export function signature(argTypes: readonly CelType[], isMember: boolean): string {
  const names = argTypes.map(typeName);
  const receiver = isMember ? `${names.shift() ?? ''}.` : '';
  return `${receiver}(${names.join(', ')})`;
}
