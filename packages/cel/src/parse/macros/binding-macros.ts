import type { Expr } from '../../ast.ts';
import type { ExprMaker, Macro } from '../../library.ts';
import { expandMap, variableName } from './standard-macros.ts';

/** `cel.bind(name, value, expression)`. */
export const bindMacro: Macro = {
  function: 'bind',
  isMember: true,
  argCount: 3,
  expand: (maker, target, args) => {
    if (target?.kind !== 'ident' || target.name !== 'cel') return undefined;
    const [variable, value, body] = args as [Expr, Expr, Expr];
    const name = variableName(maker, variable, 'cel.bind() variable names must be simple identifiers');
    return bind(maker, name, value, body);
  },
};

/**
 * `optional.optMap(name, expression)` and `optFlatMap`. The expansion contains the optional twice, as one shared
 * node.
 */
export const optionalMacros: readonly Macro[] = [
  optionalMacro('optMap', (maker, body) => maker.call('optional.of', body)),
  optionalMacro('optFlatMap', (_maker, body) => body),
];

/** `list.sortBy(name, key)` sorts a list by the keys of its elements. */
export const sortByMacro: Macro = {
  function: 'sortBy',
  isMember: true,
  argCount: 2,
  expand: (maker, target, args) => {
    const list = target as Expr;
    if (!sortableKinds.has(list.kind)) {
      return maker.fail(
        list,
        'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
      );
    }
    const keys = expandMap(maker, maker.ident(sortInputName), args);
    return bind(
      maker,
      sortInputName,
      list,
      maker.memberCall('@sortByAssociatedKeys', maker.ident(sortInputName), keys),
    );
  },
};

const sortableKinds: ReadonlySet<Expr['kind']> = new Set(['list', 'select', 'ident', 'comprehension', 'call']);
const sortInputName = '@__sortBy_input__';

/** A fold over an empty list, whose accumulator is the variable. */
function bind(maker: ExprMaker, name: string, value: Expr, body: Expr): Expr {
  return maker.fold({
    range: maker.list(),
    iterVar: '#unused',
    accuVar: name,
    init: value,
    condition: maker.literal(false),
    step: maker.ident(name),
    result: body,
  });
}

function optionalMacro(name: string, wrap: (maker: ExprMaker, body: Expr) => Expr): Macro {
  return {
    function: name,
    isMember: true,
    argCount: 2,
    expand: (maker, target, args) => {
      const [variable, body] = args as [Expr, Expr];
      const optional = target as Expr;
      const bound = variableName(maker, variable, `${name}() variable name must be a simple identifier`);
      return maker.call(
        '_?_:_',
        maker.memberCall('hasValue', optional),
        wrap(maker, bind(maker, bound, maker.memberCall('value', optional), body)),
        maker.call('optional.none'),
      );
    },
  };
}
