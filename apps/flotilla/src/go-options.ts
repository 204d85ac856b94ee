/** Options with the value syntax of Go's flags. */
import { parseGoDuration } from '@flotilla/kube';
import { InvalidArgumentError, Option } from 'commander';

export type BooleanText = 'true' | 'false';

/** Without a value it means true. */
export function booleanOption(flag: string, description: string, defaultValue: BooleanText): Option {
  return new Option(`${flag} [bool]`, description).choices(['true', 'false']).preset('true').default(defaultValue);
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
