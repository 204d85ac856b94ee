import type { RE2JS } from 're2js';
import { searchesText } from '../../cost/text-costs.ts';
import { declare, member, type Library, type OverloadParts, type PreparedCall } from '../../library.ts';
import { types } from '../../type.ts';
import { CelError, type CelValue, type Result } from '../../value.ts';
import { ArrayList } from '../../values/list.ts';
import { compilePattern } from '../../values/pattern.ts';

const { int, string } = types;

/** Finds matches of a pattern. Literal patterns are compiled once. */
export const regexLibrary: Library = {
  name: 'kubernetes.regex',
  functions: [
    declare('find', member('string_find_string', [string, string], string, ...implementation(find))),
    declare(
      'findAll',
      member('string_find_all_string', [string, string], types.list(string), ...implementation(findAll)),
      member('string_find_all_string_int', [string, string, int], types.list(string), ...implementation(findAll)),
    ),
  ],
};

type Search = (pattern: RE2JS, text: string, limit: bigint) => Result;

function implementation(search: Search): [(...args: CelValue[]) => Result, OverloadParts] {
  const call = (...[text, pattern, limit = -1n]: CelValue[]): Result => {
    const compiled = compilePattern(pattern as string);
    if (compiled instanceof CelError) return new CelError(`Illegal regex: ${compiled.message}`);
    return search(compiled, text as string, limit as bigint);
  };
  const prepare = ([, pattern]: readonly (CelValue | undefined)[]): PreparedCall | CelError | undefined => {
    if (typeof pattern !== 'string') return undefined;
    const compiled = compilePattern(pattern);
    if (compiled instanceof CelError) return compiled;
    return (...[text, , limit = -1n]) => search(compiled, text as string, limit as bigint);
  };
  return [call, { ...searchesText, prepare }];
}

function find(pattern: RE2JS, text: string): Result {
  const matcher = pattern.matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

/** A negative limit means none. */
function findAll(pattern: RE2JS, text: string, limit: bigint): Result {
  const most = limit < 0n ? Infinity : Number(limit);
  const found: string[] = [];
  const matcher = pattern.matcher(text);
  while (found.length < most && matcher.find()) found.push(matcher.group() ?? '');
  return new ArrayList(found);
}
