/** Options whose values are written as Go's flags take them. */
import { parseGoDuration } from '@flotilla/kube';
import { InvalidArgumentError, Option } from 'commander';

export type Yes = 'true' | 'false';

/** Without a value it means yes. */
export function yesOrNo(flag: string, description: string, otherwise: Yes): Option {
  return new Option(`${flag} [yes]`, description).choices(['true', 'false']).preset('true').default(otherwise);
}

/** Milliseconds, both ends included. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** In milliseconds. */
export function duration(flag: string, description: string, { from, to }: Range): Option {
  return new Option(`${flag} <duration>`, description).argParser((text) => {
    const milliseconds = millisecondsIn(text);
    if (milliseconds >= from && milliseconds <= to) return milliseconds;
    throw new InvalidArgumentError(`It is from ${from / 1000}s to ${to / 1000}s.`);
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
