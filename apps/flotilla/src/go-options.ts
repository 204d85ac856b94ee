/** Options with the value syntax of Go's flags. */
import { parseGoDuration } from '@flotilla/kube';
import { InvalidArgumentError, Option } from 'commander';

export type BooleanText = 'true' | 'false';

/** Without a value it means true. */
export function booleanOption(flag: string, description: string, defaultValue?: BooleanText): Option {
  const option = new Option(`${flag} [bool]`, description).choices(['true', 'false']).preset('true');
  return defaultValue === undefined ? option : option.default(defaultValue);
}

interface NumberRange {
  /** Both ends included. */
  readonly from: number;
  readonly to: number;
  readonly isInteger?: boolean;
  /** Whether 0 and below are accepted, too: they turn the limit off. */
  readonly mayBeOff?: boolean;
}

export function numberOption(flag: string, description: string, range: NumberRange): Option {
  const { from, to, isInteger = false, mayBeOff = false } = range;
  return new Option(`${flag} <n>`, description).argParser((text) => {
    const number = /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
    const isInRange = (number >= from && number <= to) || (mayBeOff && number <= 0);
    if (isInRange && (!isInteger || Number.isInteger(number))) return number;
    const what = isInteger ? 'a whole number' : 'a number';
    throw new InvalidArgumentError(`It must be ${what} from ${from} to ${to}${mayBeOff ? ', or 0 for no limit' : ''}.`);
  });
}

/** Milliseconds, both ends included. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** An option whose value is in milliseconds. */
export function duration(flag: string, description: string, { from, to }: Range): Option {
  return new Option(`${flag} <duration>`, description).argParser((text) => {
    const milliseconds = millisecondsIn(text);
    if (milliseconds >= from && milliseconds <= to) return milliseconds;
    throw new InvalidArgumentError(`It must be from ${from / 1000}s to ${to / 1000}s.`);
  });
}

/** `90s`, `15m`, `1h30m`. */
export function millisecondsIn(text: string): number {
  try {
    return Number(parseGoDuration(text)) / 1e6;
  } catch (error) {
    throw new InvalidArgumentError(`${(error as Error).message}; write 90s, 15m or 1h30m.`);
  }
}
