/** cel-go's strings extension, version 2. */
import { byteLength } from '@flotilla/kube';
import {
  noCost,
  plus,
  scaled,
  times,
  traversalFactor,
  unknownCost,
  type CostRange,
  type EstimatedArgument,
} from '../../cost/cost.ts';
import { declare, member, overload, type CallEstimate, type Library, type OverloadParts } from '../../library.ts';
import { types } from '../../type.ts';
import type { CelList, CelValue } from '../../value.ts';
import { sizeOf, traversalCost } from '../../values/size.ts';
import { format } from './format.ts';
import {
  charAt,
  indexOf,
  join,
  joinedSize,
  lastIndexOf,
  lowerAscii,
  quoteText,
  replace,
  split,
  substring,
  trim,
  upperAscii,
} from './string-functions.ts';

const { int, string } = types;
const listOfStrings = types.list(string);

export const stringsLibrary: Library = {
  name: 'strings',
  functions: [
    declare('charAt', member('string_char_at_int', [string, int], string, charAt)),
    declare(
      'indexOf',
      member('string_index_of_string', [string, string], int, indexOf, searched()),
      member('string_index_of_string_int', [string, string, int], int, indexOf, searched()),
    ),
    declare(
      'lastIndexOf',
      member('string_last_index_of_string', [string, string], int, lastIndexOf, searched()),
      member('string_last_index_of_string_int', [string, string, int], int, lastIndexOf, searched()),
    ),
    declare('lowerAscii', member('string_lower_ascii', [string], string, lowerAscii, copied())),
    declare('upperAscii', member('string_upper_ascii', [string], string, upperAscii, copied())),
    declare('trim', member('string_trim', [string], string, trim, copied())),
    declare(
      'substring',
      member('string_substring_int', [string, int], string, substring, copied()),
      member('string_substring_int_int', [string, int, int], string, substring, copied()),
    ),
    declare(
      'replace',
      member('string_replace_string_string', [string, string, string], string, replace, replaced()),
      member('string_replace_string_string_int', [string, string, string, int], string, replace, replaced()),
    ),
    declare(
      'split',
      member('string_split_string', [string, string], listOfStrings, split, splitCosts()),
      member('string_split_string_int', [string, string, int], listOfStrings, split, splitCosts()),
    ),
    declare(
      'join',
      member('list_join', [listOfStrings], string, join, joinCosts()),
      member('list_join_string', [listOfStrings, string], string, join, joinCosts()),
    ),
    declare(
      'format',
      member('string_format', [string, types.list(types.dyn)], string, format, { cost: ([text]) => readOnce(text) }),
    ),
    declare(
      'strings.quote',
      overload('strings_quote', [string], string, quoteText, { cost: ([text]) => readOnce(text) }),
    ),
  ],
};

function readOnce(text: CelValue | undefined): number {
  return traversalCost(sizeOf(text ?? null));
}

/** The text is read and written. */
function readTwice(text: CelValue | undefined): number {
  return Math.ceil(sizeOf(text ?? null) * 2 * traversalFactor);
}

function sizeOfArgument(argument: EstimatedArgument | undefined): CostRange {
  return argument?.size ?? unknownCost;
}

/** Counts bytes and rounds down, unlike all other reads. */
function searched(): OverloadParts {
  return {
    cost: ([text]) => Math.floor(byteLength(text as string) * traversalFactor),
    estimate: ([text]) => ({ cost: scaled(sizeOfArgument(text), traversalFactor) }),
  };
}

function copied(): OverloadParts {
  return {
    cost: ([text]) => readOnce(text),
    estimate: ([text]) => {
      const size = sizeOfArgument(text);
      return { cost: scaled(size, traversalFactor), resultSize: size };
    },
  };
}

function replaced(): OverloadParts {
  return {
    cost: ([text]) => readTwice(text),
    estimate: ([text, old, replacement]) => ({
      cost: scaled(sizeOfArgument(text), 2 * traversalFactor),
      resultSize: replaceEstimate(sizeOfArgument(text), sizeOfArgument(old), sizeOfArgument(replacement)),
    }),
  };
}

function splitCosts(): OverloadParts {
  return {
    cost: ([text]) => readTwice(text),
    estimate: ([text, , limit]) => {
      const size = sizeOfArgument(text);
      const most =
        limit?.expr.kind === 'literal' && limit.expr.value.type === 'int' ? limit.expr.value.value : undefined;
      return {
        cost: scaled(size, 2 * traversalFactor),
        resultSize: { min: 0, max: most === undefined ? size.max : Number(BigInt.asUintN(64, most)) },
      };
    },
  };
}

function joinCosts(): OverloadParts {
  return {
    cost: ([list, separator]) =>
      Math.ceil(joinedSize(list as CelList, (separator ?? '') as string) * 2 * traversalFactor),
    estimate: joinEstimate,
  };
}

function joinEstimate([list, separator]: readonly EstimatedArgument[]): CallEstimate {
  const count = sizeOfArgument(list);
  const elements = times(count, list?.element()?.size ?? noCost);
  const separators: CostRange = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
  const size = plus(elements, separator ? times(separator.size, separators) : noCost);
  return { cost: scaled(size, traversalFactor), resultSize: size };
}

/** The size of a text after all occurrences of one text are replaced by another. */
function replaceEstimate(text: CostRange, old: CostRange, replacement: CostRange): CostRange {
  const longest = mostReplaced(text.max, old.min, replacement.max);
  const shortest = leastReplaced(text.min, old.max, replacement.min);
  const count = { min: shortest.count, max: longest.count };
  return plus(times(count, replacement), { min: shortest.kept, max: longest.kept });
}

interface Outcome {
  readonly count: number;
  /** The rest of the original. */
  readonly kept: number;
}

/** An empty text occurs between all characters. A replacement that is not longer counts as unchanged. */
function mostReplaced(text: number, old: number, replacement: number): Outcome {
  if (old === 0) return { count: text + 1, kept: text };
  if (replacement <= old) return { count: 0, kept: text };
  return { count: Math.ceil(text / old), kept: 0 };
}

function leastReplaced(text: number, old: number, replacement: number): Outcome {
  if (old === 0) return { count: text + 1, kept: text };
  if (old <= replacement) return { count: 0, kept: text };
  return { count: Math.ceil(text / old), kept: 0 };
}
