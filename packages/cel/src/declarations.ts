/** The declarations of an environment's libraries, indexed once for all expressions. */
import type { Library, Overload } from './library.ts';
import { partsOf, type CelType } from './type.ts';

export interface DeclaredFunction {
  readonly name: string;
  readonly overloads: readonly DeclaredOverload[];
}

export interface DeclaredOverload {
  readonly overload: Overload;
  /** Type parameters in its signature. */
  readonly typeParameters: readonly string[];
}

/** Functions by name. A repeated overload replaces the earlier one in its position. */
export function declareFunctions(libraries: readonly Library[]): ReadonlyMap<string, DeclaredFunction> {
  const byName = new Map<string, Map<string, DeclaredOverload>>();
  for (const library of libraries) {
    for (const { name, overloads } of library.functions) {
      let declared = byName.get(name);
      if (declared === undefined) byName.set(name, (declared = new Map()));
      for (const overload of overloads)
        declared.set(overload.id, { overload, typeParameters: typeParametersOf(overload) });
    }
  }
  return new Map([...byName].map(([name, overloads]) => [name, { name, overloads: [...overloads.values()] }]));
}

export function declareVariables(libraries: readonly Library[]): ReadonlyMap<string, CelType> {
  return new Map(libraries.flatMap((library) => [...(library.variables ?? [])]));
}

function typeParametersOf({ parameters, result }: Overload): readonly string[] {
  const names = new Set<string>();
  const collect = (type: CelType): void => {
    if (type.kind === 'param') names.add(type.name);
    else partsOf(type).forEach(collect);
  };
  parameters.forEach(collect);
  collect(result);
  return [...names];
}
