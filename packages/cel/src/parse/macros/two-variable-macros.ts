import type { Expr } from '../../ast.ts';
import type { ExprMaker, Macro } from '../../library.ts';
import {
  allParts,
  collectParts,
  existsOneParts,
  existsParts,
  listParts,
  refuseAccumulator,
  variableName,
  type FoldBody,
} from './standard-macros.ts';

/** Adds entries to the map under construction in a loop. */
export const mapInsertName = 'cel.@mapInsert';

/** Loops with a variable for the index or key and one for the value. */
export const twoVariableMacros: readonly Macro[] = [
  quantifier('all', allParts),
  quantifier('exists', existsParts),
  quantifier('existsOne', existsOneParts),
  quantifier('exists_one', existsOneParts),
  ...transformer('transformList', (maker, _key, element, filter) => listParts(maker, element, filter)),
  ...transformer('transformMap', (maker, key, value, filter) =>
    collectParts(maker, maker.map(), maker.call(mapInsertName, maker.accuIdent(), maker.ident(key), value), filter),
  ),
  ...transformer('transformMapEntry', (maker, _key, entries, filter) =>
    collectParts(maker, maker.map(), maker.call(mapInsertName, maker.accuIdent(), entries), filter),
  ),
];

function quantifier(name: string, parts: (maker: ExprMaker, predicate: Expr) => FoldBody): Macro {
  return {
    function: name,
    isMember: true,
    argCount: 3,
    expand: (maker, target, args) => {
      const [first, second, predicate] = args as [Expr, Expr, Expr];
      return maker.fold({ range: target as Expr, ...variables(maker, first, second), ...parts(maker, predicate) });
    },
  };
}

type TransformParts = (maker: ExprMaker, key: string, value: Expr, filter: Expr | undefined) => FoldBody;

/** Three arguments, or four with a filter before the last. */
function transformer(name: string, parts: TransformParts): Macro[] {
  return [3, 4].map((argCount) => ({
    function: name,
    isMember: true,
    argCount,
    expand: (maker, target, args) => {
      const [first, second, ...rest] = args as [Expr, Expr, ...Expr[]];
      const { iterVar, iterVar2 } = variables(maker, first, second);
      const filter = argCount === 4 ? rest[0] : undefined;
      const value = rest.at(-1) as Expr;
      return maker.fold({ range: target as Expr, iterVar, iterVar2, ...parts(maker, iterVar, value, filter) });
    },
  }));
}

function variables(maker: ExprMaker, first: Expr, second: Expr): { iterVar: string; iterVar2: string } {
  const iterVar = variableName(maker, first, 'argument must be a simple name');
  const iterVar2 = variableName(maker, second, 'argument must be a simple name');
  if (iterVar === iterVar2) maker.fail(second, `duplicate variable name: ${iterVar}`);
  refuseAccumulator(maker, first, iterVar);
  refuseAccumulator(maker, second, iterVar2);
  return { iterVar, iterVar2 };
}
