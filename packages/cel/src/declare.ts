/** Short words for the declarations of libraries. */
import type { FunctionDeclaration, Overload } from './library.ts';
import { types, type CelType } from './type.ts';
import type { Result } from './value.ts';

export type OverloadParts = Pick<Overload, 'cost' | 'estimate' | 'prepare'>;

/** What a call does, with the narrower arguments that its parameters promise. */
type Implementation = (...args: never[]) => Result;

export function declare(name: string, ...overloads: Overload[]): FunctionDeclaration {
  return { name, overloads };
}

export function overload(
  id: string,
  parameters: readonly CelType[],
  result: CelType,
  call?: Implementation,
  parts: OverloadParts = {},
): Overload {
  return {
    id,
    isMember: false,
    parameters,
    result,
    ...(call && { call: call as NonNullable<Overload['call']> }),
    ...parts,
  };
}

/** The first parameter is the receiver. */
export function member(
  id: string,
  parameters: readonly CelType[],
  result: CelType,
  call?: Implementation,
  parts: OverloadParts = {},
): Overload {
  return { ...overload(id, parameters, result, call, parts), isMember: true };
}

export const paramA: CelType = types.param('A');
export const paramB: CelType = types.param('B');
export const listOfA: CelType = types.list(paramA);
export const mapOfAB: CelType = types.map(paramA, paramB);
