/** Estimates of the standard functions, by overload. All others cost 1. */
import type { CallEstimate } from '../library.ts';
import type { CelType } from '../type.ts';
import {
  fixed,
  maxCost,
  oneUnit,
  patternFactor,
  plus,
  scaled,
  times,
  traversalFactor,
  unknownCost,
  type CostRange,
  type EstimatedArgument,
} from './cost.ts';

type Estimate = (args: readonly EstimatedArgument[]) => CallEstimate;

const textComparisons = ['less', 'less_equals', 'greater', 'greater_equals'].flatMap((name) => [
  `${name}_string`,
  `${name}_bytes`,
]);

export const standardEstimates: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ['string_format', ([text]) => ({ cost: reading(sizeOf(text)) })],
  [
    'string_to_bytes',
    ([text]) => {
      const { min, max } = sizeOf(text);
      return { cost: reading({ min, max }), resultSize: { min, max: Math.min(max * 4, maxCost) } };
    },
  ],
  [
    'bytes_to_string',
    ([bytes]) => {
      const { min, max } = sizeOf(bytes);
      return { cost: reading({ min, max }), resultSize: { min: Math.floor(min / 4), max } };
    },
  ],
  [
    'strings_quote',
    ([text]) => {
      const { min, max } = sizeOf(text);
      // The sum overflows to 0 in Go.
      return { cost: reading({ min, max }), resultSize: { min: min + 2, max: max >= maxCost ? 0 : max * 2 + 2 } };
    },
  ],
  ['starts_with_string', ([, prefix]) => ({ cost: reading(sizeOf(prefix)) })],
  ['ends_with_string', ([, suffix]) => ({ cost: reading(sizeOf(suffix)) })],
  ['in_list', ([, list]) => ({ cost: sizeOf(list) })],
  [
    'matches_string',
    ([text, pattern]) => ({
      cost: times(reading(plus(sizeOf(text), oneUnit)), scaled(sizeOf(pattern), patternFactor)),
    }),
  ],
  ['contains_string', ([text, part]) => ({ cost: times(reading(sizeOf(text)), reading(sizeOf(part))) })],
  ['add_string', concatenation],
  ['add_bytes', concatenation],
  ['add_list', ([a, b]) => ({ cost: oneUnit, resultSize: plus(sizeOf(a), sizeOf(b)) })],
  ...textComparisons.map((id): [string, Estimate] => [id, comparison]),
  ['not_equals', comparison],
  ['equals', equality],
]);

function sizeOf(arg: EstimatedArgument | undefined): CostRange {
  return arg?.size ?? unknownCost;
}

function reading(size: CostRange): CostRange {
  return scaled(size, traversalFactor);
}

function concatenation([a, b]: readonly EstimatedArgument[]): CallEstimate {
  const size = plus(sizeOf(a), sizeOf(b));
  return { cost: reading(size), resultSize: size };
}

/** Both are read up to the first difference, at most to the end of the smaller. */
function comparison([a, b]: readonly EstimatedArgument[]): CallEstimate {
  const max = Math.min(sizeOf(a).max, sizeOf(b).max);
  return { cost: reading({ min: max > 0 ? 1 : 0, max }) };
}

const maxFormatSize = 64;

/** Kubernetes knows the size of its own types for `==`, but not for `!=`. */
function equality(args: readonly EstimatedArgument[]): CallEstimate {
  const [a, b] = args;
  const name = a === undefined || b === undefined ? '' : commonName(a.type, b.type);
  if (smallTypes.has(name)) return { cost: oneUnit };
  if (name === 'kubernetes.NamedFormat') return { cost: reading({ min: 1, max: maxFormatSize }) };
  // An unknown size counts as 1.
  if (name === 'kubernetes.URL')
    return { cost: reading({ min: 1, max: b === undefined || b.size.max >= maxCost ? 1 : b.size.max }) };
  return comparison(args);
}

const smallTypes: ReadonlySet<string> = new Set([
  'net.IP',
  'net.CIDR',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  ...['Authorizer', 'PathCheck', 'GroupCheck', 'ResourceCheck', 'Decision'].map(
    (name) => `kubernetes.authorization.${name}`,
  ),
]);

function commonName(a: CelType, b: CelType): string {
  if ((a.kind !== 'object' && a.kind !== 'opaque') || a.kind !== b.kind) return '';
  return a.name === b.name ? a.name : '';
}

export const createListCost: CostRange = fixed(10);
export const createMapCost: CostRange = fixed(30);
export const createStructCost: CostRange = fixed(40);
