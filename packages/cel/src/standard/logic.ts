import { declare, overload, paramA } from '../declare.ts';
import type { FunctionDeclaration } from '../library.ts';
import { types } from '../type.ts';

const { bool } = types;

/** Those without an implementation are the evaluator's: they do not evaluate all of their arguments, or absorb errors. */
export const logic: readonly FunctionDeclaration[] = [
  declare('_?_:_', overload('conditional', [bool, paramA, paramA], paramA)),
  declare('_&&_', overload('logical_and', [bool, bool], bool)),
  declare('_||_', overload('logical_or', [bool, bool], bool)),
  declare('@not_strictly_false', overload('not_strictly_false', [bool], bool)),
  declare(
    '!_',
    overload('logical_not', [bool], bool, (value: boolean) => !value),
  ),
  declare('_==_', overload('equals', [paramA, paramA], bool)),
  declare('_!=_', overload('not_equals', [paramA, paramA], bool)),
];
