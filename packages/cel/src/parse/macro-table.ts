import type { Macro } from '../library.ts';

/** Macros by name, number of arguments and receiver. */
export interface MacroTable {
  readonly find: (name: string, argCount: number, isMember: boolean) => Macro | undefined;
}

export function createMacroTable(macros: Iterable<Macro>): MacroTable {
  const byCall = new Map<string, Macro[]>();
  for (const macro of macros) {
    const named = byCall.get(macro.function);
    if (named === undefined) byCall.set(macro.function, [macro]);
    else named.unshift(macro);
  }
  return {
    find: (name, argCount, isMember) => {
      const named = byCall.get(name)?.filter((macro) => macro.isMember === isMember);
      return (
        named?.find((macro) => macro.argCount === argCount) ?? named?.find((macro) => macro.argCount === undefined)
      );
    },
  };
}
