/** Go's `time.Parse` for the layouts that Kubernetes uses, with Go's error messages. */
import { isDigit } from '../names/characters.ts';
import { quote } from './format.ts';

export interface Instant {
  readonly epochSeconds: number;
  readonly nanoseconds: number;
}

/** The text is not a time. The message is Go's. */
export class TimeError extends Error {
  override readonly name = 'TimeError';
}

interface Fields {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  nanoseconds: number;
  offsetMinutes: number;
}

/** Elements of a layout. All other characters must match literally. */
const layoutElements = /2006|01|02|15|04|05|\.000000|Z07:00/g;

export function parseGoTime(text: string, layout: string): Instant {
  const reader = new TimeReader(text, layout);
  let from = 0;
  for (const { 0: element, index } of layout.matchAll(layoutElements)) {
    reader.skip(layout.slice(from, index));
    reader.read(element, layout.slice(index + element.length));
    from = index + element.length;
  }
  return reader.finish();
}

class TimeReader {
  readonly #text: string;
  readonly #layout: string;
  #rest: string;
  readonly #fields: Fields = {
    year: 0,
    month: 1,
    day: 1,
    hour: 0,
    minute: 0,
    second: 0,
    nanoseconds: 0,
    offsetMinutes: 0,
  };

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  skip(literal: string): void {
    for (const character of literal) {
      if (!this.#rest.startsWith(character)) throw this.#mismatch(literal);
      this.#rest = this.#rest.slice(1);
    }
  }

  read(element: string, layoutAfter: string): void {
    const fields = this.#fields;
    switch (element) {
      case '2006':
        fields.year = this.#number(element, 4, 4);
        break;
      case '01':
        fields.month = this.#inRange(this.#number(element, 2, 2), 1, 12, 'month');
        break;
      case '02':
        fields.day = this.#number(element, 2, 2);
        break;
      case '15':
        fields.hour = this.#inRange(this.#number(element, 1, 2), 0, 23, 'hour');
        break;
      case '04':
        fields.minute = this.#inRange(this.#number(element, 2, 2), 0, 59, 'minute');
        break;
      case '05':
        fields.second = this.#inRange(this.#number(element, 2, 2), 0, 59, 'second');
        if (!layoutAfter.startsWith('.')) fields.nanoseconds = this.#optionalFraction();
        break;
      case '.000000':
        fields.nanoseconds = this.#fraction(element);
        break;
      default:
        fields.offsetMinutes = this.#zone(element);
    }
  }

  finish(): Instant {
    if (this.#rest !== '') throw this.#wrong(`extra text: ${quote(this.#rest)}`);
    const { year, month, day, hour, minute, second, nanoseconds, offsetMinutes } = this.#fields;
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    if (date.getUTCDate() !== day || date.getUTCMonth() !== month - 1) throw this.#wrong('day out of range');
    date.setUTCHours(hour, minute, second);
    return { epochSeconds: date.getTime() / 1000 - offsetMinutes * 60, nanoseconds };
  }

  #number(element: string, fewest: number, most: number): number {
    let length = 0;
    while (length < most && isDigit(this.#rest.charCodeAt(length))) length++;
    if (length < fewest) throw this.#mismatch(element);
    return Number(this.#take(length));
  }

  #inRange(value: number, lowest: number, highest: number, what: string): number {
    if (value < lowest || value > highest) throw this.#wrong(`${what} out of range`);
    return value;
  }

  /** Seconds may have a fraction that is not in the layout. */
  #optionalFraction(): number {
    if (!isPoint(this.#rest) || !isDigit(this.#rest.charCodeAt(1))) return 0;
    let length = 1;
    while (isDigit(this.#rest.charCodeAt(length))) length++;
    return toNanoseconds(this.#take(length));
  }

  #fraction(element: string): number {
    const digits = this.#rest.slice(1, element.length);
    if (!isPoint(this.#rest) || !/^\d{6}$/.test(digits)) throw this.#mismatch(element);
    return toNanoseconds(this.#take(element.length));
  }

  #zone(element: string): number {
    if (this.#rest.startsWith('Z')) {
      this.#take(1);
      return 0;
    }
    const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)/.exec(this.#rest) ?? [];
    if (sign === undefined) throw this.#mismatch(element);
    this.#inRange(Number(hours), 0, 24, 'time zone offset hour');
    this.#inRange(Number(minutes), 0, 60, 'time zone offset minute');
    this.#take(6);
    const offset = Number(hours) * 60 + Number(minutes);
    return sign === '-' ? -offset : offset;
  }

  #take(length: number): string {
    const taken = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    return taken;
  }

  #mismatch(element: string): TimeError {
    const layout = quote(this.#layout);
    const reason = `cannot parse ${quote(this.#rest)} as ${quote(element)}`;
    return new TimeError(`parsing time ${quote(this.#text)} as ${layout}: ${reason}`);
  }

  #wrong(what: string): TimeError {
    return new TimeError(`parsing time ${quote(this.#text)}: ${what}`);
  }
}

function isPoint(text: string): boolean {
  return text.startsWith('.') || text.startsWith(',');
}

/** Drops digits after the ninth. */
function toNanoseconds(fraction: string): number {
  return Number(fraction.slice(1, 10).padEnd(9, '0'));
}
