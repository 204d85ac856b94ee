import type { Expr } from '../../ast.ts';
import type { ExprMaker, FoldParts, Macro } from '../../library.ts';

/** `has`, and loops over the elements of a list or the keys of a map. */
export const standardMacros: readonly Macro[] = [
  { function: 'has', isMember: false, argCount: 1, expand: expandHas },
  quantifier('all', allParts),
  quantifier('exists', existsParts),
  quantifier('exists_one', existsOneParts),
  quantifier('existsOne', existsOneParts),
  { function: 'map', isMember: true, argCount: 2, expand: expandMap },
  { function: 'map', isMember: true, argCount: 3, expand: expandMap },
  { function: 'filter', isMember: true, argCount: 2, expand: expandFilter },
];

/** A fold without its range. */
export type FoldBody = Pick<FoldParts, 'init' | 'condition' | 'step' | 'result'>;

export function allParts(maker: ExprMaker, predicate: Expr): FoldBody {
  return {
    init: maker.literal(true),
    condition: maker.call('@not_strictly_false', maker.accuIdent()),
    step: maker.call('_&&_', maker.accuIdent(), predicate),
    result: maker.accuIdent(),
  };
}

export function existsParts(maker: ExprMaker, predicate: Expr): FoldBody {
  return {
    init: maker.literal(false),
    condition: maker.call('@not_strictly_false', maker.call('!_', maker.accuIdent())),
    step: maker.call('_||_', maker.accuIdent(), predicate),
    result: maker.accuIdent(),
  };
}

export function existsOneParts(maker: ExprMaker, predicate: Expr): FoldBody {
  const increment = maker.call('_+_', maker.accuIdent(), maker.literal(1n));
  return {
    init: maker.literal(0n),
    condition: maker.literal(true),
    step: maker.call('_?_:_', predicate, increment, maker.accuIdent()),
    result: maker.call('_==_', maker.accuIdent(), maker.literal(1n)),
  };
}

/** Appends `element` for each turn that passes `filter`. */
export function listParts(maker: ExprMaker, element: Expr, filter: Expr | undefined): FoldBody {
  return collectParts(maker, maker.list(), maker.call('_+_', maker.accuIdent(), maker.list(element)), filter);
}

export function collectParts(maker: ExprMaker, init: Expr, step: Expr, filter: Expr | undefined): FoldBody {
  return {
    init,
    condition: maker.literal(true),
    step: filter === undefined ? step : maker.call('_?_:_', filter, step, maker.accuIdent()),
    result: maker.accuIdent(),
  };
}

/** The name of a loop variable. Fails with `message` for any other expression. */
export function variableName(maker: ExprMaker, variable: Expr, message: string): string {
  if (variable.kind !== 'ident') return maker.fail(variable, message);
  return variable.name;
}

export function refuseAccumulator(maker: ExprMaker, variable: Expr, name: string): void {
  if (name === maker.accuVar || name === '__result__') {
    maker.fail(variable, 'iteration variable overwrites accumulator variable');
  }
}

function quantifier(name: string, parts: (maker: ExprMaker, predicate: Expr) => FoldBody): Macro {
  return {
    function: name,
    isMember: true,
    argCount: 2,
    expand: (maker, target, args) => {
      const [variable, predicate] = args as [Expr, Expr];
      const iterVar = variableName(maker, variable, 'argument must be a simple name');
      refuseAccumulator(maker, variable, iterVar);
      return maker.fold({ range: target as Expr, iterVar, ...parts(maker, predicate) });
    },
  };
}

export function expandMap(maker: ExprMaker, target: Expr | undefined, args: readonly Expr[]): Expr {
  const [variable, first, second] = args as [Expr, Expr, Expr | undefined];
  const iterVar = variableName(maker, variable, 'argument is not an identifier');
  refuseAccumulator(maker, variable, iterVar);
  const body = second === undefined ? listParts(maker, first, undefined) : listParts(maker, second, first);
  return maker.fold({ range: target as Expr, iterVar, ...body });
}

function expandFilter(maker: ExprMaker, target: Expr | undefined, args: readonly Expr[]): Expr {
  const [variable, predicate] = args as [Expr, Expr];
  const iterVar = variableName(maker, variable, 'argument is not an identifier');
  refuseAccumulator(maker, variable, iterVar);
  return maker.fold({ range: target as Expr, iterVar, ...listParts(maker, variable, predicate) });
}

function expandHas(maker: ExprMaker, _target: Expr | undefined, args: readonly Expr[]): Expr {
  const [field] = args as [Expr];
  if (field.kind !== 'select') return maker.fail(field, 'invalid argument to has() macro');
  return maker.presenceTest(field.operand, field.field);
}
