import { quote } from '@flotilla/kube';
import { CelError } from '../value.ts';

/** The offset from UTC at a moment, in milliseconds. */
export type Zone = (epochMillis: number) => number;

const zones = new Map<string, Zone>();
/** Limits the cache, because names have many spellings. */
const maxZones = 100;

/** A name of the time zone database, or `+HH:MM`. */
export function timeZone(name: string): Zone | CelError {
  if (name === '' || name === 'UTC') return () => 0;
  if (name.includes(':')) return fixedZone(name);
  return zones.get(name) ?? namedZone(name);
}

function fixedZone(name: string): Zone | CelError {
  const colon = name.indexOf(':');
  const hours = parseWhole(name.slice(0, colon));
  if (hours instanceof CelError) return hours;
  const minutes = parseWhole(name.slice(colon + 1));
  if (minutes instanceof CelError) return minutes;
  const offset = (name.startsWith('-') ? hours * 60 - minutes : hours * 60 + minutes) * 60_000;
  return () => offset;
}

/** `strconv.Atoi`, limited to the range of dates. */
function parseWhole(text: string): number | CelError {
  if (!/^[+-]?\d+$/.test(text)) return new CelError(`strconv.Atoi: parsing ${quote(text)}: invalid syntax`);
  const value = Number(text);
  return Math.abs(value) < 1e8 ? value : new CelError(`strconv.Atoi: parsing ${quote(text)}: value out of range`);
}

function namedZone(name: string): Zone | CelError {
  if (!/^[A-Za-z]/.test(name)) return new CelError(`unknown time zone ${name}`);
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return new CelError(`unknown time zone ${name}`);
  }
  const zone: Zone = (epochMillis) => offsetAt(format, epochMillis);
  if (zones.size >= maxZones) zones.clear();
  zones.set(name, zone);
  return zone;
}

/** The local time, read as UTC, minus UTC. */
function offsetAt(format: Intl.DateTimeFormat, epochMillis: number): number {
  const shown: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(epochMillis)) shown[type] = value;
  const number = (type: string) => Number(shown[type]);
  const year = shown['era'] === 'BC' ? 1 - number('year') : number('year');
  const local = new Date(0);
  local.setUTCFullYear(year, number('month') - 1, number('day'));
  local.setUTCHours(number('hour'), number('minute'), number('second'));
  return local.getTime() - Math.floor(epochMillis / 1000) * 1000;
}
