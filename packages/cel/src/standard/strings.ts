import { searchCost } from '../cost/text-costs.ts';
import {
  declare,
  member,
  overload,
  type FunctionDeclaration,
  type OverloadParts,
  type PreparedCall,
} from '../library.ts';
import { types } from '../type.ts';
import { CelError, type CelValue, type Result } from '../value.ts';
import { compilePattern } from '../values/pattern.ts';
import { sizeOf, traversalCost } from '../values/size.ts';

const { bool, string } = types;
const twoStrings = [string, string];

const oneReading: OverloadParts = { cost: ([text]) => traversalCost(sizeOf(text ?? null)) };

export const strings: readonly FunctionDeclaration[] = [
  declare(
    'contains',
    member('contains_string', twoStrings, bool, (text: string, part: string) => text.includes(part), {
      cost: ([text, part]) => traversalCost(sizeOf(text ?? null)) * traversalCost(sizeOf(part ?? null)),
    }),
  ),
  declare(
    'endsWith',
    member('ends_with_string', twoStrings, bool, (text: string, end: string) => text.endsWith(end), oneReading),
  ),
  declare(
    'startsWith',
    member('starts_with_string', twoStrings, bool, (text: string, start: string) => text.startsWith(start), oneReading),
  ),
  declare(
    'matches',
    overload('matches', twoStrings, bool, matches, { prepare: prepareMatches }),
    member('matches_string', twoStrings, bool, matches, {
      prepare: prepareMatches,
      cost: ([text, pattern]) => searchCost(sizeOf(text ?? null), sizeOf(pattern ?? null)),
    }),
  ),
];

function matches(text: string, pattern: string): Result {
  const compiled = compilePattern(pattern);
  return compiled instanceof CelError ? compiled : compiled.test(text);
}

function prepareMatches([, pattern]: readonly (CelValue | undefined)[]): PreparedCall | CelError | undefined {
  if (typeof pattern !== 'string') return undefined;
  const compiled = compilePattern(pattern);
  return compiled instanceof CelError ? compiled : (text) => compiled.test(text as string);
}
