/** Types as trees, for who treats all types of types alike. */
import { types, type CelType } from './type.ts';

const noTypes: readonly CelType[] = [];

/** The types that a type is made of: the element of a list, the key and value of a map. */
export function partsOf(type: CelType): readonly CelType[] {
  if (type.kind === 'list') return [type.element];
  if (type.kind === 'map') return [type.key, type.value];
  if (type.kind === 'opaque') return type.parameters;
  if (type.kind === 'type' && type.of !== undefined) return [type.of];
  return noTypes;
}

/** The same type of other parts; the very same where they did not change. */
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

/** What tells types of one kind apart besides their parts. */
export function nameOf(type: CelType): string {
  return type.kind === 'object' || type.kind === 'opaque' || type.kind === 'param' ? type.name : '';
}
