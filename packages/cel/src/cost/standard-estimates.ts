/** What the standard functions may cost, by overload. Those that are not listed cost 1. */
import type { EstimatedArgument } from '../cost.ts';
import type { CallEstimate } from '../library.ts';
import type { CelType } from '../type.ts';
import { fixed, ONE, PATTERN_FACTOR, plus, scaled, times, TRAVERSAL_FACTOR, UNKNOWN } from './range.ts';
import { MAX_COST, type CostRange } from '../cost.ts';

type Estimate = (args: readonly EstimatedArgument[]) => CallEstimate;

const COMPARED_TEXTS = ['less', 'less_equals', 'greater', 'greater_equals'].flatMap((name) => [
  `${name}_string`,
  `${name}_bytes`,
]);

export const standardEstimates: ReadonlyMap<string, Estimate> = new Map<string, Estimate>([
  ['string_format', ([text]) => ({ cost: reading(sizeOf(text)) })],
  [
    'string_to_bytes',
    ([text]) => {
      const { min, max } = sizeOf(text);
      return { cost: reading({ min, max }), resultSize: { min, max: Math.min(max * 4, MAX_COST) } };
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
      // Twice the largest number and two more is nothing in Go.
      return { cost: reading({ min, max }), resultSize: { min: min + 2, max: max >= MAX_COST ? 0 : max * 2 + 2 } };
    },
  ],
  ['starts_with_string', ([, prefix]) => ({ cost: reading(sizeOf(prefix)) })],
  ['ends_with_string', ([, suffix]) => ({ cost: reading(sizeOf(suffix)) })],
  ['in_list', ([, list]) => ({ cost: sizeOf(list) })],
  [
    'matches_string',
    ([text, pattern]) => ({
      cost: times(reading(plus(sizeOf(text), ONE)), scaled(sizeOf(pattern), PATTERN_FACTOR)),
    }),
  ],
  ['contains_string', ([text, part]) => ({ cost: times(reading(sizeOf(text)), reading(sizeOf(part))) })],
  ['add_string', concatenation],
  ['add_bytes', concatenation],
  ['add_list', ([a, b]) => ({ cost: ONE, resultSize: plus(sizeOf(a), sizeOf(b)) })],
  ...COMPARED_TEXTS.map((id): [string, Estimate] => [id, comparison]),
  ['not_equals', comparison],
  ['equals', equality],
]);

function sizeOf(arg: EstimatedArgument | undefined): CostRange {
  return arg?.size ?? UNKNOWN;
}

function reading(size: CostRange): CostRange {
  return scaled(size, TRAVERSAL_FACTOR);
}

function concatenation([a, b]: readonly EstimatedArgument[]): CallEstimate {
  const size = plus(sizeOf(a), sizeOf(b));
  return { cost: reading(size), resultSize: size };
}

/** Both are read until they differ, at most to the end of the smaller. */
function comparison([a, b]: readonly EstimatedArgument[]): CallEstimate {
  const max = Math.min(sizeOf(a).max, sizeOf(b).max);
  return { cost: reading({ min: max > 0 ? 1 : 0, max }) };
}

const MAX_FORMAT_SIZE = 64;

/** Kubernetes knows its own types to be small, but only where they are equal, not where they are unequal. */
function equality(args: readonly EstimatedArgument[]): CallEstimate {
  const [a, b] = args;
  const name = a === undefined || b === undefined ? '' : commonName(a.type, b.type);
  if (SMALL_TYPES.has(name)) return { cost: ONE };
  if (name === 'kubernetes.NamedFormat') return { cost: reading({ min: 1, max: MAX_FORMAT_SIZE }) };
  // Where the size is not known, it is taken to be one.
  if (name === 'kubernetes.URL')
    return { cost: reading({ min: 1, max: b === undefined || b.size.max >= MAX_COST ? 1 : b.size.max }) };
  return comparison(args);
}

const SMALL_TYPES: ReadonlySet<string> = new Set([
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

export const CREATE_LIST_COST: CostRange = fixed(10);
export const CREATE_MAP_COST: CostRange = fixed(30);
export const CREATE_STRUCT_COST: CostRange = fixed(40);
