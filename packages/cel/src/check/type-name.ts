import type { CelType } from '../type.ts';
import { nameOf, partsOf } from '../type-parts.ts';

/** A type as messages write it. */
export function typeName(type: CelType): string {
  if (type.kind === 'error') return '!error!';
  const name = nameOf(type) || type.kind;
  const parts = partsOf(type);
  return parts.length === 0 ? name : `${name}(${parts.map(typeName).join(', ')})`;
}

/** The types of the arguments of a call; a receiver is written before them. */
export function signature(argTypes: readonly CelType[], isMember: boolean): string {
  const names = argTypes.map(typeName);
  const receiver = isMember ? `${names.shift() ?? ''}.` : '';
  return `${receiver}(${names.join(', ')})`;
}
